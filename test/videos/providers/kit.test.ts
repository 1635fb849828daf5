import { describe, expect, test } from '@jest/globals';
import { ended, succeeded } from '../../../functions/videos/providers/kit.ts';
import { KEY, WireServer } from './wire-server.ts';

describe('a video that is done', () => {
  test.each([
    [[], []],
    [[undefined, ''], []],
    [['https://a.example/1.mp4'], ['https://a.example/1.mp4']],
    [
      ['b', undefined, 'a'],
      ['b', 'a'],
    ],
  ])('at %j is at %j', (named, urls) => {
    const outputs = urls.map((url) => ({ kind: 'url', url }));
    expect(succeeded(...named)).toEqual({ state: 'succeeded', outputs });
  });
});

describe('a job that ended without a video', () => {
  test.each([
    [undefined, 'The provider reports the job as failed'],
    ['GPU\nfell over', 'GPU fell over'],
    [`Bad key ${KEY}`, 'Bad key [redacted]'],
  ])('and whose provider said %j has the reason %j', async (said, reason) => {
    await using server = await WireServer.open();
    expect(ended({ state: 'failed', said }, server.context('/v1'))).toStrictEqual({
      state: 'failed',
      reason,
    });
  });

  test.each([
    [true, { moderated: true }],
    [false, {}],
  ])('(moderated: %p) says whether moderation refused it', async (moderated, told) => {
    await using server = await WireServer.open();
    const state = ended({ state: 'expired', said: 'late', moderated }, server.context('/v1'));
    expect(state).toStrictEqual({ state: 'expired', reason: 'late', ...told });
  });
});
