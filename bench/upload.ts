/**
 * Uploads of 100 MiB into a stand-in for S3 that drops them, through Genway's upload server, a bare pipe and other
 * libraries; then ten uploads at once; then uploads into the emulator of a local run, with all steps. Every server is a
 * new process in every round, bundled and run like our image, and the rounds alternate. Trust the ratios, not the
 * figures. Fails if a median is below its bar.
 *
 *   npm install --no-package-lock --prefix bench/upload/peers     (once; without it the other libraries are left out)
 *   npx node bench/upload.ts [rounds]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { edgeSecret } from '../local/edge/edge.ts';
import { startStage } from '../local/stage.ts';
import { median } from './median.ts';
import { declareTooMuch, SIZE, sha256, type Upload, upload } from './upload/client.ts';
import { type Contestant, GENWAY, otherLibraries, PIPE } from './upload/contestants.ts';
import { bundleServers, seenBy, startWithSink, usage } from './upload/processes.ts';

const ROUNDS = Number(process.argv[2] ?? 5);
const REQUESTS = 2;
const AT_ONCE = 10;

/** The least part of the pipe's speed, for one upload and for ten at once; the most of its CPU; the time of a refusal. */
const BARS = { one: 0.8, ten: 0.75, cpu: 1.5, refusalMilliseconds: 5 };

type Runner = Contestant & Pick<Upload, 'headers'>;
const runners: Record<string, Runner> = {
  'bare pipe': PIPE,
  Genway: GENWAY,
  'Genway, asked for SHA-256': { ...GENWAY, headers: { 'x-checksum-sha256': sha256() } },
  ...otherLibraries(),
};
const contestants = Object.entries(runners);

interface Measurement {
  readonly megabytesPerSecond: number;
  readonly cpuSecondsPerGigabyte: number;
  readonly peakMegabytes: number;
}

/** One process: first an upload to warm it up, then the measured ones. */
async function measure({ program, ...what }: Runner, atOnce: number): Promise<Measurement> {
  const { server, end } = await startWithSink(program);
  try {
    await upload(server.port, what);
    const before = await usage(server);
    const begun = performance.now();
    const repeats = atOnce > 1 ? 1 : REQUESTS;
    for (let i = 0; i < repeats; i++) {
      await Promise.all(Array.from({ length: atOnce }, () => upload(server.port, what)));
    }
    const bytes = SIZE * atOnce * repeats;
    const seconds = (performance.now() - begun) / 1000;
    const after = await usage(server);
    return {
      megabytesPerSecond: bytes / 1e6 / seconds,
      cpuSecondsPerGigabyte: (after.cpuSeconds - before.cpuSeconds) / (bytes / 1e9),
      peakMegabytes: after.peakMegabytes,
    };
  } finally {
    end();
  }
}

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

await bundleServers();
await compare(
  `One upload of 100 MiB at a time, median of ${ROUNDS} rounds of ${REQUESTS}`,
  1,
  ROUNDS,
  BARS.one,
);
await compare(`${AT_ONCE} uploads of 100 MiB at once, median of 3 rounds`, AT_ONCE, 3, BARS.ten);

const { server, sink, end } = await startWithSink(GENWAY.program);
const refusals: number[] = [];
for (let i = 0; i < 20; i++) refusals.push(await declareTooMuch(server.port));
const { requests } = await seenBy(sink);
end();
console.log(
  `\nA declared length of 150 MiB is refused after ${median(refusals).toFixed(1)} ms, with ${requests} requests to S3`,
);
judge('the time of a refusal', median(refusals) <= BARS.refusalMilliseconds);
judge('a refusal asks nothing of S3', requests === 0);

const folder = await mkdtemp(join(tmpdir(), 'genway-bench-'));
const stage = await startStage({ stateDir: folder, port: 0 });
try {
  const { text: secret } = await edgeSecret(stage.state);
  const credentials = { authorization: `Bearer ${stage.apiKey}`, 'x-genway-edge': secret };
  const addresses = { 'the upload server': stage.origins.uploads, 'the edge': stage.baseUrl };
  for (const [name, address] of Object.entries(addresses)) {
    const times: number[] = [];
    for (let i = 0; i < ROUNDS; i++)
      times.push(await upload(Number(new URL(address).port), { isForm: true, headers: credentials }));
    console.log(`Into the emulator through ${name}: ${Math.round(SIZE / 1e3 / median(times))} MB/s`);
  }
} finally {
  await stage.stop();
  await rm(folder, { recursive: true });
}
if (failed.length > 0) throw new Error(`Not within its bar: ${failed.join('; ')}`);
console.log('All are within their bars.');
