/**
 * Type detection over 100 MB in chunks of 64 KiB, compared with a plain byte loop and with JSON.parse, in CPU time. Every
 * step has a byte loop right beside it, so that a slow phase of the machine hits both alike. Fails if the median of the
 * ratios of a kind of file is below the bar. Trust the ratios, not the figures: `npx node bench/type-detection.ts`
 */
import { TypeDetector } from '../functions/files/type-detection/type-detector.ts';
import { median } from './median.ts';

const SIZE = 100_000_000;
const CHUNK = 64 * 1024;
const ROUNDS = 15;
/** The smallest allowed part of the byte loop's speed. */
const BAR = 0.55;

const thing = (id: number) => ({
  id,
  name: `user ${id}`,
  email: `user${id}@example.com`,
  tags: ['alpha', 'beta'],
  score: id / 7,
  active: id % 2 === 0,
  about: 'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.',
});
const record = (id: number) => JSON.stringify(thing(id));
const indented = (id: number) => JSON.stringify(thing(id), null, 2);
const row = (id: number) =>
  `${id},user ${id},user${id}@example.com,"alpha, beta",${id / 7},${id % 2 === 0}\n`;
const prose = (id: number) =>
  `Line ${id} of a text that goes on${id % 3 === 0 ? ', and on' : ''}, without structure.\n`;
const trap = (id: number) =>
  `Line ${id} has one comma, and a semicolon; so has every other line of this text.\n`;

function repeat(make: (id: number) => string): string {
  const parts: string[] = [];
  let length = 0;
  for (let id = 0; length < SIZE; id++) {
    const part = make(id);
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
}

const json = Buffer.from(`[${repeat((id) => `${record(id)},`).slice(0, -1)}]`);
const inputs: Readonly<Record<string, Buffer>> = {
  json,
  'indented json': Buffer.from(`[\n${repeat((id) => `${indented(id)},\n`).slice(0, -2)}\n]`),
  numbers: Buffer.from(`[${repeat((id) => `${id / 7},`).slice(0, -1)}]`),
  ndjson: Buffer.from(repeat((id) => `${record(id)}\n`)),
  csv: Buffer.from(repeat(row)),
  plain: Buffer.from(repeat(prose)),
  'plain like csv': Buffer.from(repeat(trap)),
  'one line': Buffer.alloc(SIZE, 'word '),
  'open brackets': Buffer.alloc(SIZE, '['),
  png: Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), Buffer.alloc(SIZE, 0x5a)]),
  zip: Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(SIZE, 0xa5)]),
};

const chunksOf = (file: Buffer) =>
  Array.from({ length: Math.ceil(file.length / CHUNK) }, (_, i) => file.subarray(i * CHUNK, (i + 1) * CHUNK));

async function detect(file: Buffer): Promise<string> {
  const detector = new TypeDetector();
  for (const chunk of chunksOf(file)) detector.write(chunk);
  return detector.end().then(
    ({ mimeType }) => mimeType,
    (error: Error) => error.name,
  );
}

function loop(file: Buffer): number {
  const isLineFeed = new Uint8Array(256);
  isLineFeed[10] = 1;
  let lines = 0;
  for (const chunk of chunksOf(file)) {
    for (let i = 0; i < chunk.length; i++) lines += isLineFeed[chunk[i] ?? 0] ?? 0;
  }
  return lines;
}

interface Step {
  readonly bytes: number;
  readonly run: () => unknown;
}
const byteLoop: Step = { bytes: json.length, run: () => loop(json) };
const steps: Record<string, Step> = {
  'JSON.parse': { bytes: json.length, run: () => JSON.parse(json.toString()) },
};
for (const [name, file] of Object.entries(inputs)) {
  steps[`detect ${name}`] = { bytes: file.length, run: () => detect(file) };
}

/** In MB/s. */
async function speedOf({ bytes, run }: Step): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return bytes / (user + system);
}

/** The step and the byte loop, each first in every second round. */
async function speedsOf(step: Step, isLoopFirst: boolean): Promise<{ own: number; loop: number }> {
  if (!isLoopFirst) return { own: await speedOf(step), loop: await speedOf(byteLoop) };
  const speed = await speedOf(byteLoop);
  return { own: await speedOf(step), loop: speed };
}

const speeds = new Map(
  Object.keys(steps).map((name): [string, { own: number; loop: number }[]] => [name, []]),
);
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, step] of Object.entries(steps)) {
    speeds.get(name)?.push(await speedsOf(step, round % 2 === 1));
  }
}

const speed = (name: string) => median((speeds.get(name) ?? []).map(({ own }) => own));
const ratios = (name: string) => (speeds.get(name) ?? []).map(({ own, loop }) => own / loop);
const ofLoop = (name: string) => median(ratios(name));
const spread = (name: string) => [Math.min, Math.max].map((of) => of(...ratios(name)).toFixed(2)).join('–');
const loopSpeed = median([...speeds.values()].flat().map(({ loop }) => loop));

console.log(`Medians of ${ROUNDS} rounds, a byte loop of ${Math.round(loopSpeed)} MB/s beside each\n`);
console.log('| step | MB/s | × a byte loop | spread | × JSON.parse |\n|---|---|---|---|---|');
for (const name of Object.keys(steps)) {
  const ofParse = (speed(name) / speed('JSON.parse')).toFixed(1);
  const figures = [Math.round(speed(name)), ofLoop(name).toFixed(2), spread(name), ofParse];
  console.log(`| ${[name, ...figures].join(' | ')} |`);
}
const slow = Object.keys(steps).filter((name) => name.startsWith('detect') && ofLoop(name) < BAR);
if (slow.length > 0) throw new Error(`Below ${BAR} of a byte loop: ${slow.join(', ')}`);
console.log(`\nAll are at ${BAR} of a byte loop or above.`);
