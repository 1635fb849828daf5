/**
 * What Genway adds to a download, on a local stage: a GET of the content through the API, which redirects to a signed
 * link, beside a GET of the same object with a link that was signed before. Of a file of 100 MiB, of 1 MiB in the middle
 * of it, and of a video of the sandbox; and what the signing of a link takes. The rounds alternate. Fails if the API adds
 * more to the first byte than the bar, or the whole file comes at less than 0.9 of the speed.
 *
 *   npx node bench/downloads.ts [rounds]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { signDownload } from '../functions/aws/sign-download.ts';
import { DemoApi } from '../local/demo/demo-api.ts';
import { type RunningStage, startStage } from '../local/stage.ts';
import { median } from './median.ts';
import { ORDINARY } from './upload/client.ts';

const ROUNDS = Number(process.argv[2] ?? 11);
const WARM_UP = 2;
const MIB = 1024 ** 2;
const SIZE = 100 * MIB;
const MIDDLE = { range: `bytes=${50 * MIB}-${51 * MIB - 1}` };
const SIGNATURES = 2_000;
const BARS = { speed: 0.9, addedMilliseconds: 100 };

const fileSchema = v.object({ id: v.string() });
const jobSchema = v.object({ id: v.string(), status: v.string() });
const linkSchema = v.object({ url: v.string() });

interface Times {
  readonly firstByte: number;
  readonly whole: number;
}

/** Follows redirects. */
async function download(url: string, headers: Record<string, string>): Promise<Times> {
  const begun = performance.now();
  const answer = await fetch(url, { headers });
  if (!answer.ok || answer.body === null) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  let firstByte: number | undefined;
  for await (const _ of answer.body) firstByte ??= performance.now() - begun;
  if (firstByte === undefined) throw new Error(`${url} has no bytes`);
  return { firstByte, whole: performance.now() - begun };
}

async function uploadFile(api: DemoApi): Promise<string> {
  const others = Array.from({ length: SIZE / MIB - 1 }, () => new Uint8Array(ORDINARY.others));
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(ORDINARY.first), ...others]), 'fox.flac');
  return `/files/${(await api.post('/files', form, fileSchema)).id}/content`;
}

async function makeVideo(api: DemoApi): Promise<string> {
  const provider = { options: { sandbox: { latency_s: 1 } } };
  let job = await api.post('/videos', { model: 'sandbox/clip-1', prompt: 'A fox', provider }, jobSchema);
  while (job.status !== 'completed') {
    if (job.status === 'failed') throw new Error('the sandbox has made no video');
    await sleep(500);
    job = await api.get(`/videos/${job.id}`, jobSchema);
  }
  return `/videos/${job.id}/content`;
}

interface Target {
  readonly name: string;
  readonly path: string;
  readonly range: Record<string, string>;
  /** The least part of the speed with a link at hand. */
  readonly leastSpeed: number;
}

async function compare({ baseUrl, apiKey }: RunningStage, { path, range }: Target) {
  const api = new DemoApi(baseUrl, apiKey);
  const headers = { authorization: `Bearer ${apiKey}`, ...range };
  const rounds: { through: Times; direct: Times }[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const { url } = await api.get(`${path}?redirect=false`, linkSchema);
    const first = round % 2 === 0 ? await download(url, range) : undefined;
    const through = await download(`${baseUrl}${path}`, headers);
    const direct = first ?? (await download(url, range));
    if (round >= 0) rounds.push({ through, direct });
  }
  return {
    through: median(rounds.map((each) => each.through.firstByte)),
    direct: median(rounds.map((each) => each.direct.firstByte)),
    added: median(rounds.map((each) => each.through.firstByte - each.direct.firstByte)),
    whole: median(rounds.map((each) => each.through.whole)),
    ofSpeed: median(rounds.map((each) => each.direct.whole / each.through.whole)),
  };
}

async function signingMicroseconds({ aws }: RunningStage): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < SIGNATURES; i++) {
    const begun = performance.now();
    await signDownload(aws, { bucket: 'bench', key: `fox-${i}`, contentType: 'video/mp4' }, new Date());
    times.push((performance.now() - begun) * 1000);
  }
  return median(times);
}

const stateDir = await mkdtemp(join(tmpdir(), 'genway-downloads-'));
const stage = await startStage({ stateDir, port: 0 });
const missed: string[] = [];
try {
  const api = new DemoApi(stage.baseUrl, stage.apiKey);
  const file = await uploadFile(api);
  const targets: Target[] = [
    { name: 'a file of 100 MiB', path: file, range: {}, leastSpeed: BARS.speed },
    { name: '1 MiB in the middle of it', path: file, range: MIDDLE, leastSpeed: 0 },
    { name: 'a video', path: await makeVideo(api), range: {}, leastSpeed: 0 },
  ];
  console.log(`Medians of ${ROUNDS} rounds\n`);
  console.log(
    '| | ms to the first byte | with a link at hand | added | ms in all | × the speed with a link |',
  );
  console.log('|---|---|---|---|---|---|');
  for (const target of targets) {
    const { through, direct, added, whole, ofSpeed } = await compare(stage, target);
    const figures = [through, direct, added, whole].map((each) => each.toFixed(0));
    console.log(`| ${[target.name, ...figures, ofSpeed.toFixed(2)].join(' | ')} |`);
    if (added > BARS.addedMilliseconds) missed.push(`the first byte of ${target.name}`);
    if (ofSpeed < target.leastSpeed) missed.push(`the speed of ${target.name}`);
  }
  console.log(`\nThe signing of a link takes ${(await signingMicroseconds(stage)).toFixed(0)} µs`);
} finally {
  await stage.stop();
  await rm(stateDir, { recursive: true });
}
if (missed.length > 0) throw new Error(`Not within its bar: ${missed.join(', ')}`);
console.log('All are within their bars.');
