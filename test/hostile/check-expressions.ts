/** Posts what is wrong with each of the expressions that it is given. */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';

/** The build for browsers is JavaScript alone; the others differ from machine to machine. */
const { checkSync }: typeof import('recheck') = createRequire(import.meta.url)('recheck/lib/browser.js');
/**
 * By seed and steps alone, never by the clock: a busy machine comes to the same answer. What is not linear takes
 * far more steps of this many characters.
 */
const SEARCH = {
  randomSeed: 1,
  maxAttackStringSize: 30_000,
  attackLimit: 15_000_000,
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
};

const expressions = v.array(v.object({ place: v.string(), source: v.string(), flags: v.string() }));
for (const { place, source, flags } of v.parse(expressions, workerData)) {
  const found = checkSync(source, flags, SEARCH);
  if (found.status === 'safe') continue;
  const weakness =
    found.status === 'unknown'
      ? `cannot be checked: ${found.error.kind}`
      : `is ${found.complexity.summary}, as with ${found.attack.pattern}`;
  parentPort?.postMessage(`${place}: /${source}/${flags} ${weakness}`);
}
