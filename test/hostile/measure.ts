/** Runs every step on every body, and names each pair before. Then it says how dear the pair is, if it is above the bar. */
import { BAR, guessTimesReading, leastTimesReading } from '../../bench/times-reading.ts';
import { BODIES, filled, JSON_ELEMENTS, STRUCTURAL } from './bodies.ts';
import { STEPS } from './steps.ts';

/** The compiler optimizes a step after a few runs. */
const ATTEMPTS = 12;

const patterns = [...STRUCTURAL, ...JSON_ELEMENTS].map(
  (each) => [JSON.stringify(each), () => filled(each)] as const,
);
for (const [body, make] of [...Object.entries(BODIES), ...patterns]) {
  const bytes = make();
  for (const [name, step] of Object.entries(STEPS)) {
    process.stdout.write(`\n${name}, of ${body}`);
    if ((await guessTimesReading(step, bytes)) <= BAR) continue;
    const times = await leastTimesReading(step, bytes, ATTEMPTS, BAR);
    if (times > BAR) process.stdout.write(`: ${times.toFixed(1)} times reading`);
  }
}
