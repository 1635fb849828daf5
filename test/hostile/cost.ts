import type { Step } from './steps.ts';

const MIB = 1024 * 1024;
/** No step may take more than so many times as long for a body as a bare loop takes over as many bytes. */
export const BAR = 20;
/** The clock of a processor ticks every few milliseconds. */
const LEAST_MEASURED_MS = 30;

const READ = Buffer.alloc(4 * MIB, 'x');

function bareLoop(bytes: Buffer): number {
  let sum = 0;
  for (let i = 0; i < bytes.length; i++) sum += bytes[i] ?? 0;
  return sum;
}

async function run(step: Step, bytes: Buffer): Promise<void> {
  // A refusal is an answer.
  await Promise.try(step, bytes).catch(() => undefined);
}

/** Of this thread alone, so that other work on the machine counts little. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** A smaller body counts as a mebibyte: it may unpack to as much, as a ZIP's content types may. */
const perMebibyte = (ms: number, bytes: Buffer): number => (ms * MIB) / Math.max(bytes.length, MIB);

async function measure(step: Step, bytes: Buffer, leastMs: number): Promise<number> {
  const start = processorMs();
  let runs = 0;
  for (; runs === 0 || processorMs() - start < leastMs; runs++) await run(step, bytes);
  return perMebibyte((processorMs() - start) / runs, bytes);
}

/** How many times as long as reading a step seems to take for a body. */
export async function guessTimesReading(step: Step, bytes: Buffer): Promise<number> {
  return (await measure(step, bytes, 0)) / (await reading);
}

/**
 * How many times as long as reading a step takes for a body, at the best of some attempts: what else the machine does
 * makes an attempt dearer, never cheaper. Reading is measured beside each, as it gets dearer too.
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
