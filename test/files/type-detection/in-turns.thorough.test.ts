import { expect, test } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import { inTurns, STEPS_A_TURN } from '../../../functions/files/type-detection/office-package.ts';
import { TypeDetector } from '../../../functions/files/type-detection/type-detector.ts';

function* counted(steps: number): Generator<void, number> {
  for (let step = 0; step < steps; step++) yield;
  return steps;
}

/** How many turns of the event loop other work gets meanwhile. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    if (isDone) return;
    turns++;
    setImmediate(count);
  };
  setImmediate(count);
  await work.catch(() => undefined);
  isDone = true;
  return turns;
}

test('returns the result of the work', async () => {
  expect(await inTurns(counted(0))).toBe(0);
  expect(await inTurns(counted(3 * STEPS_A_TURN))).toBe(3 * STEPS_A_TURN);
});

test('lets other work run after a number of steps', async () => {
  expect(await turnsDuring(inTurns(counted(STEPS_A_TURN - 1)))).toBe(0);
  expect(await turnsDuring(inTurns(counted(10 * STEPS_A_TURN)))).toBeGreaterThanOrEqual(9);
});

test('fails as the work does', async () => {
  await expect(
    inTurns(
      // biome-ignore lint/correctness/useYield: it throws before it could yield
      (function* (): Generator<void, never> {
        throw new Error('no');
      })(),
    ),
  ).rejects.toThrow('no');
});

test('is used for each step of reading a package with many parts', async () => {
  const names = Array.from({ length: 2000 }, (_, index) => `xl/worksheets/sheet${index}.xml`);
  const content = names.map((name) => `<Override PartName="/${name}" ContentType="a/b"/>`).join('');
  const parts = Object.fromEntries(names.map((name) => [name, new Uint8Array()]));
  const detector = new TypeDetector();
  detector.write(zipSync({ '[Content_Types].xml': strToU8(content), ...parts }));
  expect(await turnsDuring(detector.end())).toBeGreaterThanOrEqual((3 * 2000) / STEPS_A_TURN - 1);
});
