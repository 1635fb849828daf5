/**
 * What it costs to read the worst bytes: each step that meets bytes from outside, over 1 MiB of every pattern and
 * over the hostile bodies, as a multiple of a bare loop over as many bytes. In processor time, so that other work on
 * the machine counts little. Prints the dearest input of each step, and fails when one is above the bar.
 *
 * `npx node bench/parsing-cost.ts` takes minutes; `npx node bench/parsing-cost.ts Markdown` tries the steps of that name.
 */
import { BODIES, filled, STRUCTURAL } from '../test/hostile/bodies.ts';
import { STEPS, type Step } from '../test/hostile/steps.ts';

const MIB = 1024 * 1024;
const BAR = 20;
/** `JSON.parse` alone takes up to nine times as long as reading, and a Lambda has one request at a time. */
const BARS = new Map([
  ['a JSON body', 40],
  ['a list in a JSON body', 40],
]);
/** The clock of a processor ticks every few milliseconds. */
const LEAST_MEASURED_MS = 40;
/** Of each step, so many inputs that seemed the dearest are measured with care. */
const CANDIDATES = 3;
/** The least of so many is the cost. */
const ATTEMPTS = 3;

function* inputs(): Generator<readonly [string, () => Buffer]> {
  const one = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  const two = [...STRUCTURAL].flatMap((first) => [...STRUCTURAL].map((second) => first + second));
  for (const pattern of [...one, ...two]) {
    yield [JSON.stringify(pattern), () => filled(pattern)];
  }
  yield* Object.entries(BODIES);
}

async function run(step: Step, bytes: Buffer): Promise<void> {
  // A refusal is an answer.
  await Promise.try(step, bytes).catch(() => undefined);
}

/** Milliseconds for a mebibyte. A smaller body counts as one: it may unpack to as much, as a ZIP's content types may. */
const perMebibyte = (ms: number, bytes: Buffer): number => (ms * MIB) / Math.max(bytes.length, MIB);

async function guess(step: Step, bytes: Buffer): Promise<number> {
  const start = performance.now();
  await run(step, bytes);
  return perMebibyte(performance.now() - start, bytes);
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function measure(step: Step, bytes: Buffer): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const start = processorMs();
    let runs = 0;
    for (; runs === 0 || processorMs() - start < LEAST_MEASURED_MS; runs++) await run(step, bytes);
    least = Math.min(least, (processorMs() - start) / runs);
  }
  return perMebibyte(least, bytes);
}

function bareLoop(bytes: Buffer): number {
  let sum = 0;
  for (let i = 0; i < bytes.length; i++) sum += bytes[i] ?? 0;
  return sum;
}

interface Candidate {
  readonly input: string;
  readonly make: () => Buffer;
  readonly ms: number;
}

async function dearestOf(step: Step, candidates: readonly Candidate[]): Promise<Candidate> {
  const measured: Candidate[] = [];
  for (const candidate of candidates) {
    measured.push({ ...candidate, ms: await measure(step, candidate.make()) });
  }
  return measured.reduce((dearest, each) => (each.ms > dearest.ms ? each : dearest));
}

const wanted = process.argv[2] ?? '';
const steps = Object.entries(STEPS).filter(([name]) => name.includes(wanted));
const candidates = new Map<string, Candidate[]>();
for (const [input, make] of inputs()) {
  const bytes = make();
  for (const [name, step] of steps) {
    const all = [...(candidates.get(name) ?? []), { input, make, ms: await guess(step, bytes) }];
    candidates.set(name, all.toSorted((a, b) => b.ms - a.ms).slice(0, CANDIDATES));
  }
}

const reading = await measure(bareLoop, Buffer.alloc(16 * MIB, 'x'));
const rows: { name: string; input: string; times: number }[] = [];
for (const [name, step] of steps) {
  const { input, ms } = await dearestOf(step, candidates.get(name) ?? []);
  rows.push({ name, input, times: ms / reading });
}
rows.sort((a, b) => b.times - a.times);
console.log(`A bare loop takes ${reading.toFixed(2)} ms for 1 MiB.`);
for (const { name, input, times } of rows) console.log(`| ${name} | ${input} | ${times.toFixed(1)} |`);
const above = rows.filter(({ name, times }) => times > (BARS.get(name) ?? BAR)).map(({ name }) => name);
if (above.length > 0) throw new Error(`Too many times as dear as reading: ${above.join(', ')}`);
