/** As much of Jest as the fast tests use, so that each test can be run alone, again and again, in one process. */
import { expect } from 'expect';
import { ModuleMocker } from 'jest-mock';
import OwnRealm from '../native/environment.js';

type Work = (...given: unknown[]) => unknown;
interface Block {
  readonly before: Work[];
  readonly after: Work[];
  readonly beforeEach: Work[];
  readonly afterEach: Work[];
  readonly parent: Block | undefined;
}

export interface Test {
  readonly name: string;
  /** With all that its blocks set up, which no other test shares. */
  readonly run: () => Promise<void>;
}

/** In the order of their file. */
export const tests: Test[] = [];

const newBlock = (parent: Block | undefined): Block => ({
  before: [],
  after: [],
  beforeEach: [],
  afterEach: [],
  parent,
});
let current = newBlock(undefined);

const lineage = (block: Block | undefined): Block[] =>
  block === undefined ? [] : [...lineage(block.parent), block];

function addBlock(_: string, define: Work, given: readonly unknown[] = []): void {
  const parent = current;
  current = newBlock(parent);
  define(...given);
  current = parent;
}

function addTest(name: string, work: Work, given: readonly unknown[] = []): void {
  const blocks = lineage(current);
  tests.push({ name, run: () => runWithin(blocks, () => work(...given)) });
}

async function runWithin(blocks: readonly Block[], work: Work): Promise<void> {
  const outward = blocks.toReversed();
  try {
    for (const each of blocks.flatMap(({ before }) => before)) await each();
    for (const each of blocks.flatMap(({ beforeEach }) => beforeEach)) await each();
    await work();
  } finally {
    for (const each of outward.flatMap(({ afterEach }) => afterEach)) await each();
    for (const each of outward.flatMap(({ after }) => after)) await each();
  }
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

/** The mocks of modules, by their paths without the leading `../`. */
export const mocks = new Map<string, Record<string, unknown>>();
const { fakeTimersModern: timers } = new OwnRealm({ projectConfig: { fakeTimers: {} } });
const mocker = new ModuleMocker(globalThis);
export const jest = {
  setTimeout: nothing,
  useFakeTimers: timers.useFakeTimers.bind(timers),
  useRealTimers: timers.useRealTimers.bind(timers),
  advanceTimersByTime: timers.advanceTimersByTime.bind(timers),
  getTimerCount: timers.getTimerCount.bind(timers),
  spyOn: mocker.spyOn.bind(mocker),
  restoreAllMocks: mocker.restoreAllMocks.bind(mocker),
  unstable_mockModule: (name: string, make: () => Record<string, unknown>) =>
    mocks.set(name.replace(/^(\.\.?\/)+/, ''), make()),
};
