/**
 * How long it takes to choose among 50 endpoints: `node bench/choice.ts`. The target is 50 µs for a choice.
 * The requests differ in the fields that they leave open, in their order of preference, and in sizes and references.
 */
import { performance } from 'node:perf_hooks';
import * as v from 'valibot';
import { micros } from '../functions/money/micros.ts';
import { findOffer } from '../functions/videos/catalogue/catalogue.ts';
import type { Offer } from '../functions/videos/catalogue/offer.ts';
import { videoRequestSchema } from '../functions/videos/catalogue/video-request.ts';
import { type Circumstances, choose } from '../functions/videos/routing/choose.ts';

const OFFERS = 50;
const ROUNDS = 20_000;

const row = findOffer('sandbox/clip-1');
if (row === undefined) throw new Error('the catalogue has no sandbox');
const offers: Offer[] = Array.from({ length: OFFERS }, (_, i) => ({
  ...row,
  id: `provider-${i}/fox`,
  model: 'acme/fox',
  provider: `provider-${i}`,
  // Every third endpoint supports less.
  ...(i % 3 === 0 ? { input_references: [], seed: false } : {}),
  price_per_second: {
    silent: micros(1 + ((i * 7919) % 1000)),
    with_audio: micros(1 + ((i * 104_729) % 1000)),
  },
}));
const circumstances: Circumstances = {
  usualSort: 'price',
  figuresOf: ({ provider }) => {
    const latencySeconds = 10 + provider.length * 3;
    return { samples: 50, successRate: 1, latencySeconds, throughput: 4 / latencySeconds, restsUntil: 0 };
  },
  accountsOf: () => [{ isByok: false, turn: 'usual' }],
  dataDiscount: 0,
  now: new Date(),
};
const image = { type: 'image_url', image_url: { url: 'https://a.example/1.png' } };
const requests = [
  {},
  { duration: 8, resolution: '720p', provider: { sort: 'latency' } },
  { size: '1280x720', seed: 7, provider: { sort: 'throughput', ignore: ['provider-3'] } },
  { input_references: [image], provider: { order: ['provider-40', 'provider-7'] } },
].map((fields) => v.parse(videoRequestSchema, { model: 'acme/fox', prompt: 'A fox', ...fields }));

for (const request of requests) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    choose(request, { id: 'acme/fox', offers }, circumstances);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => `${((times[Math.floor(share * ROUNDS)] ?? 0) * 1000).toFixed(1)} µs`;
  const { duration, size, input_references: references, provider } = request;
  console.log(`p50 ${at(0.5)}, p99 ${at(0.99)}`, JSON.stringify({ duration, size, references, ...provider }));
}
