/**
 * What it costs to read the worst bytes: runs each step that reads outside bytes over 1 MiB of every pattern and over the
 * hostile bodies, and compares with a bare loop over the same number of bytes. Measures CPU time, so that other work on
 * the machine counts little. Prints the most expensive input of each step, and fails if one is above the bar.
 *
 * `npx node bench/parsing-cost.ts` takes minutes; `npx node bench/parsing-cost.ts Markdown` tries the steps of that name.
 */
import { cpus } from 'node:os';
import { BODIES, filled, JSON_ELEMENTS, STRUCTURAL } from '../test/hostile/bodies.ts';
import { STEPS, type Step } from '../test/hostile/steps.ts';
import { BAR, guessTimesReading, leastTimesReading } from './times-reading.ts';

/** For each step, how many of the most expensive inputs are measured again with care. */
const CANDIDATES = 3;
/** The cost is the minimum of this many attempts. */
const ATTEMPTS = 9;

function* inputs(): Generator<readonly [string, () => Buffer]> {
  const one = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte));
  const two = [...STRUCTURAL].flatMap((first) => [...STRUCTURAL].map((second) => first + second));
  for (const pattern of [...one, ...two]) {
    yield [JSON.stringify(pattern), () => filled(pattern)];
  }
  for (const first of JSON_ELEMENTS) {
    for (const second of JSON_ELEMENTS) yield [JSON.stringify(first + second), () => filled(first + second)];
  }
  yield* Object.entries(BODIES);
}

interface Candidate {
  readonly input: string;
  readonly make: () => Buffer;
  readonly times: number;
}

async function dearestOf(step: Step, candidates: readonly Candidate[]): Promise<Candidate> {
  const measured: Candidate[] = [];
  for (const candidate of candidates) {
    measured.push({ ...candidate, times: await leastTimesReading(step, candidate.make(), ATTEMPTS) });
  }
  return measured.reduce((dearest, each) => (each.times > dearest.times ? each : dearest));
}

const wanted = process.argv[2] ?? '';
const steps = Object.entries(STEPS).filter(([name]) => name.includes(wanted));
const candidates = new Map<string, Candidate[]>();
for (const [input, make] of inputs()) {
  const bytes = make();
  for (const [name, step] of steps) {
    const all = [
      ...(candidates.get(name) ?? []),
      { input, make, times: await guessTimesReading(step, bytes) },
    ];
    candidates.set(name, all.toSorted((a, b) => b.times - a.times).slice(0, CANDIDATES));
  }
}

const rows: { name: string; input: string; times: number }[] = [];
for (const [name, step] of steps) rows.push({ name, ...(await dearestOf(step, candidates.get(name) ?? [])) });
rows.sort((a, b) => b.times - a.times);
console.log(
  `Node.js ${process.version}, ${cpus()[0]?.model}\n\n| step | dearest input | times reading |\n|---|---|---|`,
);
for (const { name, input, times } of rows) {
  console.log(`| ${name} | ${input.replaceAll('|', '\\|')} | ${times.toFixed(1)} |`);
}
const above = rows.filter(({ times }) => times > BAR).map(({ name }) => name);
if (above.length > 0) throw new Error(`Too many times as dear as reading: ${above.join(', ')}`);
