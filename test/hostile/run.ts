/** Runs steps on bodies in a thread of its own: nothing else can stop an expression that does not end. */
import { parentPort, workerData } from 'node:worker_threads';
import * as v from 'valibot';
import { BODIES } from './bodies.ts';
import { STEPS } from './steps.ts';

const pairs = v.parse(v.array(v.tuple([v.string(), v.string()])), workerData);
for (const [step, body] of pairs) {
  const [read, make] = [STEPS[step], BODIES[body]];
  if (read === undefined || make === undefined) throw new Error(`There is no ${step} or no ${body}`);
  parentPort?.postMessage(`${step}, of ${body}`);
  try {
    await read(make());
  } catch (error) {
    // Anything else is a refusal, which is an answer.
    if (error instanceof TypeError || error instanceof RangeError) throw error;
  }
}
