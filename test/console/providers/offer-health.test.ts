import { expect, test } from '@jest/globals';
import type { VideoModel } from '../../../console/api/types.ts';
import { healthOf } from '../../../console/providers/offer-health.ts';
import { ENOUGH_SAMPLES } from '../../../functions/videos/routing/figures.ts';

type Endpoint = VideoModel['endpoints'][number];
const NOW = new Date('2026-11-23T00:00:00Z');

const endpoint = (id: string, provider: string, figures: Partial<Endpoint> = {}): Endpoint => ({
  id,
  provider,
  name: id,
  price: {},
  supported_durations: [1],
  supported_resolutions: ['480p'],
  supported_aspect_ratios: ['16:9'],
  supported_frame_images: [],
  supported_input_references: [],
  audio: 'never',
  seed: false,
  allowed_passthrough_parameters: [],
  status: 'available',
  latency_p50: null,
  success_rate: null,
  samples: 0,
  ...figures,
});
const model = (name: string, endpoints: Endpoint[]): VideoModel => ({
  id: name,
  canonical_slug: name,
  name,
  description: '',
  created: 0,
  supported_durations: [1],
  supported_resolutions: ['480p'],
  supported_aspect_ratios: ['16:9'],
  supported_sizes: [],
  supported_frame_images: [],
  supported_input_references: [],
  supported_continuations: [],
  generate_audio: false,
  seed: false,
  allowed_passthrough_parameters: [],
  pricing_skus: {},
  defaults: { duration: 1, resolution: '480p', aspect_ratio: '16:9', generate_audio: false },
  endpoints,
});

test('endpoints stand beside the others of their provider, each once', () => {
  const shared = endpoint('fal/veo', 'fal');
  const models = [
    model('Veo', [endpoint('deepmind/veo', 'google'), shared]),
    model('Veo, again', [shared, endpoint('fal/kling', 'fal')]),
  ];
  expect(healthOf(models, NOW).map(({ provider, id }) => [provider, id])).toEqual([
    ['fal', 'fal/kling'],
    ['fal', 'fal/veo'],
    ['google', 'deepmind/veo'],
  ]);
  expect(healthOf([], NOW)).toEqual([]);
});

test.each([
  ['nothing is known', {}, ['available', undefined, 'No recent measurements']],
  [
    'nothing has been measured, but something is typical',
    { latency_p50: 60 },
    ['available', undefined, 'No recent measurements'],
  ],
  [
    'enough videos have been made for a median',
    { latency_p50: 42.26, success_rate: 0.5, samples: ENOUGH_SAMPLES * 2 },
    ['available', 0.5, `42.3 s from ${ENOUGH_SAMPLES} videos`],
  ],
  [
    'one video is missing, and something is typical',
    { latency_p50: 60, success_rate: 0.4, samples: (ENOUGH_SAMPLES - 1) * 2.5 },
    ['available', 0.4, '4 of the 5 videos needed'],
  ],
  [
    'none has got its video',
    { status: 'resting', latency_p50: 60, success_rate: 0, samples: 7 } as const,
    ['resting', 0, 'No recent measurements'],
  ],
] as const)('where %s', (_, figures, shown) => {
  const [row] = healthOf([model('m', [endpoint('e', 'p', figures)])], NOW);
  expect([row?.status, row?.successRate, row?.wait]).toEqual(shown);
});

test.each([
  ['no known end', {}, undefined],
  ['an end in 31 days', { eol_at: '2026-12-24' }, undefined],
  ['an end in 30 days', { eol_at: '2026-12-23' }, 'Retires on 23 Dec 2026'],
  [
    'an end and a successor',
    { eol_at: '2026-12-01', successor: 'acme/owl' },
    'Retires on 1 Dec 2026; its successor is acme/owl',
  ],
] as const)('an endpoint with %s', (_, dates, warning) => {
  expect(healthOf([model('m', [endpoint('e', 'p', dates)])], NOW)[0]?.ending).toBe(warning);
});
