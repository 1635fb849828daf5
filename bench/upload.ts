/**
 * Uploads of 100 MiB into a stand-in for S3 that drops them, through Genway's upload server, a bare pipe and other
 * libraries; then ten uploads at once; then uploads into the emulator of a local run, with all steps. Every server is a
 * new process in every round, bundled and run like our image, and the rounds alternate. Trust the ratios, not the
 * figures. Fails if a median is below its bar.
 *
 *   npm install --no-package-lock --prefix bench/upload/peers     (once; without it the other libraries are left out)
 *   npx node bench/upload.ts [rounds]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { bundle, ROOT } from '../lib/bundle.ts';
import { NODE_FLAGS } from '../lib/upload-server/image-context.ts';
import { edgeSecret } from '../local/edge/edge-secret.ts';
import { startStage } from '../local/stage.ts';
import { answerOf } from './answer-of.ts';
import { declareTooMuch, SIZE, sha256, upload } from './upload/client.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const REQUESTS = 2;
const AT_ONCE = 10;
const HERE = join(import.meta.dirname, 'upload');
const BUNDLES = join(ROOT, 'dist', 'bench');
const bundled = (name: string) => join(BUNDLES, `${name}.mjs`);
const peer = (name: string) => join(HERE, 'peers', `${name}.mjs`);

/** The least part of the pipe's speed, for one upload and for ten at once; the most of its CPU; the time of a refusal. */
const BARS = { one: 0.8, ten: 0.75, cpu: 1.5, refusalMilliseconds: 5 };

interface Contestant {
  readonly program: string;
  readonly isForm: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}
const ours: Record<string, Contestant> = {
  'bare pipe': { program: bundled('pipe'), isForm: true },
  Genway: { program: bundled('genway'), isForm: true },
  'Genway, asked for SHA-256': {
    program: bundled('genway'),
    isForm: true,
    headers: { 'x-checksum-sha256': sha256() },
  },
};
const others: Record<string, Contestant> = {
  'multer + multer-s3': { program: peer('multer-s3'), isForm: true },
  '@fastify/multipart + lib-storage': { program: peer('fastify-multipart'), isForm: true },
  '@tus/server + @tus/s3-store': { program: peer('tus'), isForm: false },
};
const arePeersInstalled = existsSync(join(HERE, 'peers', 'node_modules'));
const contestants = Object.entries({ ...ours, ...(arePeersInstalled ? others : {}) });

interface Measurement {
  readonly megabytesPerSecond: number;
  readonly cpuSecondsPerGigabyte: number;
  readonly peakMegabytes: number;
}

const portSchema = v.object({ port: v.number() });
const usageSchema = v.object({ cpuSeconds: v.number(), peakMegabytes: v.number() });

async function start(program: string, sink: number): Promise<{ child: ChildProcess; port: number }> {
  const env = { ...process.env, SINK: `http://127.0.0.1:${sink}`, AWS_EC2_METADATA_DISABLED: 'true' };
  const child = fork(program, { env, execArgv: ['--no-warnings', ...NODE_FLAGS] });
  return { child, port: v.parse(portSchema, await answerOf(child)).port };
}

async function usage(child: ChildProcess) {
  const answer = answerOf(child);
  child.send('usage');
  return v.parse(usageSchema, await answer);
}

/** One process: first an upload to warm it up, then the measured ones. */
async function measure({ program, isForm, headers }: Contestant, atOnce: number): Promise<Measurement> {
  const sink = await start(bundled('sink'), 1);
  const { child, port } = await start(program, sink.port);
  try {
    await upload(port, isForm, headers);
    const before = await usage(child);
    const begun = performance.now();
    const repeats = atOnce > 1 ? 1 : REQUESTS;
    for (let i = 0; i < repeats; i++) {
      await Promise.all(Array.from({ length: atOnce }, () => upload(port, isForm, headers)));
    }
    const bytes = SIZE * atOnce * repeats;
    const seconds = (performance.now() - begun) / 1000;
    const after = await usage(child);
    return {
      megabytesPerSecond: bytes / 1e6 / seconds,
      cpuSecondsPerGigabyte: (after.cpuSeconds - before.cpuSeconds) / (bytes / 1e9),
      peakMegabytes: after.peakMegabytes,
    };
  } finally {
    child.kill('SIGKILL');
    sink.child.kill('SIGKILL');
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function compare(title: string, atOnce: number, rounds: number, bar: number): Promise<void> {
  const results = new Map(contestants.map(([name]) => [name, [] as Measurement[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, contestant] of round % 2 === 0 ? contestants : contestants.toReversed()) {
      results.get(name)?.push(await measure(contestant, atOnce));
    }
  }
  const of = (name: string, field: keyof Measurement) =>
    median((results.get(name) ?? []).map((one) => one[field]));
  const ofPipe = (name: string, field: keyof Measurement) => of(name, field) / of('bare pipe', field);
  const spread = (name: string) => {
    const all = (results.get(name) ?? []).map((one) => one.megabytesPerSecond);
    return [Math.min(...all), Math.max(...all)].map(Math.round).join('–');
  };
  console.log(
    `\n${title}\n\n| | × the pipe | MB/s | spread | CPU s/GB | × the pipe’s | peak RSS, MB |\n|---|---|---|---|---|---|---|`,
  );
  for (const [name] of contestants) {
    const figures = [
      ofPipe(name, 'megabytesPerSecond').toFixed(2),
      Math.round(of(name, 'megabytesPerSecond')),
      spread(name),
      of(name, 'cpuSecondsPerGigabyte').toFixed(2),
      ofPipe(name, 'cpuSecondsPerGigabyte').toFixed(2),
      Math.round(of(name, 'peakMegabytes')),
    ];
    console.log(`| ${[name, ...figures].join(' | ')} |`);
  }
  judge(`${title}: of the pipe’s speed`, ofPipe('Genway', 'megabytesPerSecond') >= bar);
  if (atOnce === 1) judge('of the pipe’s CPU', ofPipe('Genway', 'cpuSecondsPerGigabyte') <= BARS.cpu);
}

const failed: string[] = [];
function judge(what: string, isMet: boolean): void {
  if (!isMet) failed.push(what);
}

if (!arePeersInstalled)
  console.log('Without the others, which are not installed: see the head of this file.');
const servers = ['sink', 'pipe', 'genway'];
await bundle(
  servers.map((name) => ({ in: join(HERE, 'servers', `${name}.ts`), out: name })),
  BUNDLES,
);
await compare(
  `One upload of 100 MiB at a time, median of ${ROUNDS} rounds of ${REQUESTS}`,
  1,
  ROUNDS,
  BARS.one,
);
await compare(`${AT_ONCE} uploads of 100 MiB at once, median of 3 rounds`, AT_ONCE, 3, BARS.ten);

const { child, port } = await start(bundled('genway'), 1);
const refusals: number[] = [];
for (let i = 0; i < 20; i++) refusals.push(await declareTooMuch(port));
child.kill('SIGKILL');
console.log(`\nA declared length of 150 MiB is refused after ${median(refusals).toFixed(1)} ms`);
judge('the time of a refusal', median(refusals) <= BARS.refusalMilliseconds);

const folder = await mkdtemp(join(tmpdir(), 'genway-bench-'));
const stage = await startStage({ stateDir: folder, port: 0 });
try {
  const { text: secret } = await edgeSecret(stage.state);
  const credentials = { authorization: `Bearer ${stage.apiKey}`, 'x-genway-edge': secret };
  const addresses = { 'the upload server': stage.origins.uploads, 'the edge': stage.baseUrl };
  for (const [name, address] of Object.entries(addresses)) {
    const times: number[] = [];
    for (let i = 0; i < ROUNDS; i++)
      times.push(await upload(Number(new URL(address).port), true, credentials));
    console.log(`Into the emulator through ${name}: ${Math.round(SIZE / 1e3 / median(times))} MB/s`);
  }
} finally {
  await stage.stop();
  await rm(folder, { recursive: true });
}
if (failed.length > 0) throw new Error(`Not within its bar: ${failed.join('; ')}`);
console.log('All are within their bars.');
