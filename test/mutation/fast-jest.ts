/** As much of Jest as the fast tests use, so that they can be run again and again in one process. */
import { expect } from 'expect';

type Work = (...given: unknown[]) => unknown;
interface Block {
  readonly tests: (() => Promise<void>)[];
  readonly blocks: Block[];
  readonly before: Work[];
  readonly after: Work[];
  readonly beforeEach: Work[];
  readonly afterEach: Work[];
  readonly parent: Block | undefined;
}

const newBlock = (parent: Block | undefined): Block => ({
  tests: [],
  blocks: [],
  before: [],
  after: [],
  beforeEach: [],
  afterEach: [],
  parent,
});
const root = newBlock(undefined);
let current = root;

const lineage = (block: Block | undefined): Block[] =>
  block === undefined ? [] : [...lineage(block.parent), block];

function addBlock(_: string, define: Work, given: readonly unknown[] = []): void {
  const block = newBlock(current);
  current.blocks.push(block);
  current = block;
  define(...given);
  current = block.parent ?? root;
}

function addTest(_: string, work: Work, given: readonly unknown[] = []): void {
  const blocks = lineage(current);
  current.tests.push(async () => {
    for (const each of blocks.flatMap(({ beforeEach }) => beforeEach)) await each();
    try {
      await work(...given);
    } finally {
      for (const each of blocks.flatMap(({ afterEach }) => afterEach)) await each();
    }
  });
}

const eachOf = (add: typeof addTest) => (table: readonly unknown[]) => (name: string, work: Work) => {
  for (const row of table) add(name, work, Array.isArray(row) ? row : [row]);
};
const nothing = () => undefined;

export const describe = Object.assign((name: string, define: Work) => addBlock(name, define), {
  each: eachOf(addBlock),
  skip: nothing,
});
export const test = Object.assign((name: string, work: Work) => addTest(name, work), {
  each: eachOf(addTest),
  skip: nothing,
});
export const it = test;
export const beforeAll = (work: Work) => current.before.push(work);
export const afterAll = (work: Work) => current.after.push(work);
export const beforeEach = (work: Work) => current.beforeEach.push(work);
export const afterEach = (work: Work) => current.afterEach.push(work);
export { expect };

/** What stands in the place of modules, by their names without the way to them. */
export const mocks = new Map<string, Record<string, unknown>>();
export const jest = {
  setTimeout: nothing,
  unstable_mockModule: (name: string, make: () => Record<string, unknown>) =>
    mocks.set(name.replace(/^(\.\.?\/)+/, ''), make()),
};

/** @throws what the first test that fails throws */
export const runAll = (): Promise<void> => runBlock(root);

async function runBlock({ before, tests, blocks, after }: Block): Promise<void> {
  for (const each of before) await each();
  try {
    for (const each of tests) await each();
    for (const each of blocks) await runBlock(each);
  } finally {
    for (const each of after) await each();
  }
}
