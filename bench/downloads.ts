/**
 * What Genway adds to a download, on a local stage: a GET of the content through the API, which redirects to a link of
 * the edge; beside it a GET with such a link at hand, and one with a link to S3, as stages without an edge give. Of a
 * file of 100 MiB, of 1 MiB in the middle of it, and of a video of the sandbox; and what the signing of each link takes.
 * The rounds alternate. Fails if the API adds more to the first byte than the bar, or the whole file comes at less than
 * 0.9 of the speed with a link at hand. The edge is the local run's, a proxy in Node.js: CloudFront's speed is not in
 * these figures.
 *
 *   npx node bench/downloads.ts [rounds]
 */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { edgeLinks, type MakeLink, s3Links } from '../functions/downloads/links.ts';
import { DemoApi } from '../local/demo/demo-api.ts';
import { downloadsUrl } from '../local/edge/downloads.ts';
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
  readonly bucket: string;
  readonly range: Record<string, string>;
  /** The least part of the speed with a link at hand. */
  readonly leastSpeed: number;
}

const WAYS = ['through the API', 'a link of the edge', 'a link to S3'] as const;
type Way = (typeof WAYS)[number];

/** The rounds of each way, in the same order. */
async function measure(stage: RunningStage, { path, bucket, range }: Target): Promise<Record<Way, Times[]>> {
  const api = new DemoApi(stage.baseUrl, stage.apiKey);
  const toS3 = s3Links(stage.aws, bucket);
  const headers = { authorization: `Bearer ${stage.apiKey}`, ...range };
  const rounds: Record<Way, Times[]> = {
    'through the API': [],
    'a link of the edge': [],
    'a link to S3': [],
  };
  for (let round = -WARM_UP; round < ROUNDS; round++) {
    const { url } = await api.get(`${path}?redirect=false`, linkSchema);
    const [key = ''] = url.slice(`${downloadsUrl(stage.baseUrl)}/`.length).split('?', 1);
    const direct = await toS3({ key, shownAs: 'video' }, new Date());
    const send: Record<Way, () => Promise<Times>> = {
      'through the API': () => download(`${stage.baseUrl}${path}`, headers),
      'a link of the edge': () => download(url, range),
      'a link to S3': () => download(direct.url, range),
    };
    for (const way of round % 2 === 0 ? WAYS : WAYS.toReversed()) {
      const times = await send[way]();
      if (round >= 0) rounds[way].push(times);
    }
  }
  return rounds;
}

/** The median over the rounds of what two ways say together. */
const compared = (one: readonly Times[], other: readonly Times[], figure: (a: Times, b: Times) => number) =>
  median(one.flatMap((times, round) => (other[round] === undefined ? [] : [figure(times, other[round])])));

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

async function signingMicroseconds(makeLink: MakeLink): Promise<string> {
  const times: number[] = [];
  for (let i = 0; i < SIGNATURES; i++) {
    const begun = performance.now();
    await makeLink({ key: `fox-${i}`, shownAs: 'video' }, new Date());
    times.push((performance.now() - begun) * 1000);
  }
  return median(times).toFixed(0);
}

const stateDir = await mkdtemp(join(tmpdir(), 'genway-downloads-'));
const stage = await startStage({ stateDir, port: 0 });
const missed: string[] = [];
try {
  const api = new DemoApi(stage.baseUrl, stage.apiKey);
  const file = await uploadFile(api);
  const { FilesBucket, ResultsBucket } = stage.outputs;
  const targets: Target[] = [
    { name: 'a file of 100 MiB', path: file, bucket: FilesBucket, range: {}, leastSpeed: BARS.speed },
    { name: '1 MiB in the middle of it', path: file, bucket: FilesBucket, range: MIDDLE, leastSpeed: 0 },
    { name: 'a video', path: await makeVideo(api), bucket: ResultsBucket, range: {}, leastSpeed: 0 },
  ];
  console.log(`Medians of ${ROUNDS} rounds, in milliseconds\n`);
  console.log(`| | ${WAYS.map((way) => `${way}: first byte | all`).join(' | ')} |`);
  console.log('|---|---|---|---|---|---|---|');
  for (const target of targets) {
    const rounds = await measure(stage, target);
    const figures = WAYS.flatMap((way) => [
      median(rounds[way].map(({ firstByte }) => firstByte)).toFixed(0),
      median(rounds[way].map(({ whole }) => whole)).toFixed(0),
    ]);
    console.log(`| ${[target.name, ...figures].join(' | ')} |`);
    const { 'through the API': through, 'a link of the edge': atHand } = rounds;
    const added = compared(through, atHand, (a, b) => a.firstByte - b.firstByte);
    const speed = compared(through, atHand, (a, b) => b.whole / a.whole);
    if (added > BARS.addedMilliseconds) missed.push(`the first byte of ${target.name}`);
    if (speed < target.leastSpeed) missed.push(`the speed of ${target.name}`);
  }
  const toEdge = edgeLinks({ url: 'https://d1.example.net', keyPairId: 'K1', key: async () => privateKey });
  console.log(`\nThe signing of a link of the edge takes ${await signingMicroseconds(toEdge)} µs,`);
  console.log(`of a link to S3 ${await signingMicroseconds(s3Links(stage.aws, FilesBucket))} µs`);
} finally {
  await stage.stop();
  await rm(stateDir, { recursive: true });
}
if (missed.length > 0) throw new Error(`Not within its bar: ${missed.join(', ')}`);
console.log('All are within their bars.');
