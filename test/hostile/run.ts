/** Runs every step on every body, and on 1 MiB of each structural byte. Posts each pair before it runs. */
import { parentPort } from 'node:worker_threads';
import { BODIES, filled, STRUCTURAL } from './bodies.ts';
import { STEPS } from './steps.ts';

const patterns = Array.from(STRUCTURAL, (byte) => [JSON.stringify(byte), () => filled(byte)] as const);
for (const [body, make] of [...Object.entries(BODIES), ...patterns]) {
  const bytes = make();
  for (const [step, read] of Object.entries(STEPS)) {
    parentPort?.postMessage(`${step}, of ${body}`);
    try {
      await read(bytes);
    } catch (error) {
      // Any other error is a refusal, which is a valid result.
      if (error instanceof TypeError || error instanceof RangeError) throw error;
    }
  }
}
