/** Posts each step and body above the bar and, at the end, how many were tried. */
import { parentPort } from 'node:worker_threads';
import { BODIES, filled, JSON_ELEMENTS, STRUCTURAL } from './bodies.ts';
import { BAR, guessTimesReading, leastTimesReading } from './cost.ts';
import { STEPS } from './steps.ts';

/** The compiler optimizes a step after a few runs. */
const ATTEMPTS = 12;

const patterns = [...STRUCTURAL, ...JSON_ELEMENTS].map(
  (each) => [JSON.stringify(each), () => filled(each)] as const,
);
let tried = 0;
for (const [body, make] of [...Object.entries(BODIES), ...patterns]) {
  const bytes = make();
  for (const [name, step] of Object.entries(STEPS)) {
    tried++;
    if ((await guessTimesReading(step, bytes)) <= BAR) continue;
    const times = await leastTimesReading(step, bytes, ATTEMPTS, BAR);
    if (times > BAR) parentPort?.postMessage(`${name}, of ${body}: ${times.toFixed(1)} times reading`);
  }
}
parentPort?.postMessage(tried);
