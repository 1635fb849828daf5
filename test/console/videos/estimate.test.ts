import { describe, expect, test } from '@jest/globals';
import { estimateBody, pricePerSecond } from '../../../console/videos/estimate.ts';

describe('the request for an estimate', () => {
  test.each([
    ['an empty one', '', undefined, 500],
    ['a short one', 'A fox', undefined, 500],
    ['one as long as a step', 'x'.repeat(500), undefined, 1000],
    ['one whose characters have several bytes', '狐'.repeat(200), undefined, 1000],
    ['one near the limit of its model', 'x'.repeat(900), 950, 950],
    ['the longest', '狐'.repeat(32_000), undefined, 32_000],
  ])('has no text of the prompt, and at least its bytes: %s', (_, prompt, limit, length) => {
    const model = limit === undefined ? {} : { prompt_limit: limit };
    const body = estimateBody({ model: 'a', prompt, metadata: { order: '7' } }, model);
    expect(body).toEqual({ model: 'a', prompt: 'x'.repeat(length) });
  });
});

test('the price of a second is the lowest of those that no other video adds to', () => {
  const pricing_skus = {
    duration_seconds: '0.10',
    duration_seconds_with_audio: '0.20',
    duration_seconds_480p: '0.05',
    duration_seconds_with_video_reference: '0.02',
    video_reference_seconds: '0.01',
    image: '0.001',
  };
  expect(pricePerSecond({ pricing_skus })).toBe(0.05);
});
