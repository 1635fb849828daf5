import type { Step } from '../test/hostile/steps.ts';

const MIB = 1024 * 1024;
/** How many times longer a step may take for a body than a bare loop over as many bytes. */
export const BAR = 20;
/** The clock for processor time ticks every few milliseconds, so shorter measurements are useless. */
const LEAST_MEASURED_MS = 30;

const READ = Buffer.alloc(4 * MIB, 'x');

function bareLoop(bytes: Buffer): number {
  let sum = 0;
  for (let i = 0; i < bytes.length; i++) sum += bytes[i] ?? 0;
  return sum;
}

/** A refusal is a valid result. @throws any other error */
async function run(step: Step, bytes: Buffer): Promise<void> {
  await Promise.try(step, bytes).catch((error) => {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
  });
}

/** The processor time of this thread. Other work on the machine hardly changes it. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** A smaller body counts as 1 MiB, because it may unpack to that size, like the content types of a ZIP. */
const perMebibyte = (ms: number, bytes: Buffer): number => (ms * MIB) / Math.max(bytes.length, MIB);

async function measure(step: Step, bytes: Buffer, leastMs: number): Promise<number> {
  const start = processorMs();
  let runs = 0;
  for (; runs === 0 || processorMs() - start < leastMs; runs++) await run(step, bytes);
  return perMebibyte((processorMs() - start) / runs, bytes);
}

/** Estimates how many times longer a step takes for a body than reading it. */
export async function guessTimesReading(step: Step, bytes: Buffer): Promise<number> {
  return (await measure(step, bytes, 0)) / (await reading);
}

/**
 * How many times longer a step takes for a body than reading it, in the best of some attempts. Other work on the
 * machine only makes an attempt slower. Reading is measured next to each attempt, because it gets slower too.
 *
 * @param goodEnough ends the attempts early
 */
export async function leastTimesReading(
  step: Step,
  bytes: Buffer,
  attempts: number,
  goodEnough = 0,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < attempts && least > goodEnough; attempt++) {
    const read = await measure(bareLoop, READ, LEAST_MEASURED_MS);
    least = Math.min(least, (await measure(step, bytes, LEAST_MEASURED_MS)) / read);
  }
  return least;
}

const reading = measure(bareLoop, READ, 2 * LEAST_MEASURED_MS);
