import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { mutantsOf } from './mutants.ts';
import { newFindings, tryMutants } from './try-mutants.ts';

const FILE = 'test/mutation/fixtures/queue.ts';
const source = readFileSync(join(import.meta.dirname, '../..', FILE), 'utf8');

test('finds the faults that tests see, and believes none that fails without a fault', async () => {
  const mutants = mutantsOf(FILE, source).map((mutant, id) => ({ ...mutant, id }));
  const { leftOut, ...found } = newFindings();
  await tryMutants({ testFile: 'test/mutation/fixtures/queue.fixture.ts', mutants }, { ...found, leftOut });
  const shown = (ids: ReadonlySet<number>) =>
    mutants.filter(({ id }) => ids.has(id)).map(({ from, to }) => `${from} -> ${to}`);
  const seen = [
    "name === '' -> true",
    "name === '' -> false",
    "name === '' -> (name) !== ('')",
    "'' -> 'mutated'",
    'this.#waiting.push(name) -> undefined',
  ];
  const hung = ['resolve(this.#waiting.splice(0)) -> undefined'];
  const text = "'a name is missing' -> ''";
  expect(shown(found.hung)).toEqual(hung);
  expect(shown(found.killed).toSorted()).toEqual([...seen, ...hung, '0 -> 1'].toSorted());
  expect(shown(found.survived)).toEqual([text]);
  expect(shown(found.reached).toSorted()).toEqual([...seen, ...hung, '0 -> 1', text].toSorted());
  expect(leftOut).toEqual(new Set(['passes once only']));
});
