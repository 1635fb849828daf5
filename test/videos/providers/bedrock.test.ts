import { describe, expect, test } from '@jest/globals';
import { bedrock as provider } from '../../../functions/videos/providers/bedrock.ts';
import { ownAccount } from '../../../functions/videos/worker/provider-contexts.ts';
import { accountPorts } from './account-fixture.ts';
import { aProviderJob, json, WireServer } from './wire-server.ts';

const job = aProviderJob({ upstreamModel: 'luma.ray-v2:0' });
const account = ownAccount({}, accountPorts);
const context = (server: WireServer) => server.context('', { account });
const invocationArn = 'arn:aws:bedrock:us-west-2:111122223333:async-invoke/abc123def456';
const ref = { invocationArn, prefix: `bedrock/${job.id}` };
const SUBMIT = 'POST /async-invoke';
const POLL = `GET /async-invoke/${encodeURIComponent(invocationArn)}`;
const error = (status: number, type: string, message: string) =>
  json(status, { message }, { 'x-amzn-errortype': `${type}:http://internal.amazon.com/` });

describe('an invocation', () => {
  test('is started with the stage’s role and polled until its video is in the bucket', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { invocationArn }));
    const submission = await provider.submit({ ...job, options: { loop: true } }, context(server));
    expect(submission).toEqual({ ref, upstreamId: invocationArn });
    expect(server.lastJson()).toEqual({
      clientRequestToken: job.id,
      modelId: 'luma.ray-v2:0',
      modelInput: {
        prompt: 'A red fox',
        aspect_ratio: '16:9',
        duration: '5s',
        resolution: '720p',
        loop: true,
      },
      outputDataConfig: { s3OutputDataConfig: { s3Uri: `s3://results/bedrock/${job.id}` } },
    });
    server.on(
      POLL,
      json(200, { invocationArn, status: 'InProgress' }),
      json(200, { invocationArn, status: 'Paused for a reason of the future' }),
      json(200, { invocationArn, status: 'Completed' }),
    );
    expect(await provider.poll(ref, context(server))).toEqual({ state: 'running' });
    expect(await provider.poll(ref, context(server))).toEqual({ state: 'running' });
    const url = expect.stringMatching(
      `^https://results.s3.us-east-1.amazonaws.com/bedrock/${job.id}/abc123def456/output.mp4\\?`,
    );
    expect(await provider.poll(ref, context(server))).toEqual({
      state: 'succeeded',
      outputs: [{ kind: 'url', url }],
    });
    for (const { headers } of server.requests) {
      expect(headers.authorization).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d+\/us-east-1\/bedrock\//,
      );
    }
  });

  test('carries its frames as bytes', async () => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { invocationArn }));
    const frameImages = [
      { frameType: 'last_frame' as const, url: 'https://a.example/2.png' },
      { frameType: 'first_frame' as const, url: 'https://a.example/1.png' },
    ];
    await provider.submit({ ...job, frameImages }, context(server));
    const frame = (url: string) => ({
      type: 'image',
      source: {
        type: 'base64',
        media_type: 'image/png',
        data: Buffer.from(`bytes of ${url}`).toString('base64'),
      },
    });
    expect(server.lastJson()).toMatchObject({
      modelInput: {
        keyframes: { frame0: frame('https://a.example/1.png'), frame1: frame('https://a.example/2.png') },
      },
    });
  });

  test.each([
    ['Internal error', { state: 'failed', reason: 'Internal error' }],
    [undefined, { state: 'failed', reason: 'The provider reports the job as failed' }],
    [
      'This request has been blocked by our content filters',
      { state: 'failed', reason: 'This request has been blocked by our content filters', moderated: true },
    ],
  ])('that failed with %p says so', async (failureMessage, expected) => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { invocationArn, status: 'Failed', failureMessage }));
    expect(await provider.poll(ref, context(server))).toEqual(expected);
  });

  test.each([
    [error(429, 'ThrottlingException', 'Too many requests'), 'rate_limited'],
    [error(400, 'ServiceQuotaExceededException', 'Too many jobs at once'), 'rate_limited'],
    [error(400, 'ValidationException', 'The prompt was blocked by our content filters'), 'moderated'],
    [error(400, 'ValidationException', 'Malformed input request'), 'refused'],
    [error(404, 'ResourceNotFoundException', 'No such model here'), 'refused'],
    [error(503, 'ServiceUnavailableException', 'Try again'), 'ambiguous'],
  ])('is not started: %#', async (answer, kind) => {
    await using server = await WireServer.open();
    server.on(SUBMIT, answer);
    await expect(provider.submit(job, context(server))).rejects.toMatchObject({ kind });
  });

  test('that our role may not start names neither the role nor the account in its error', async () => {
    await using server = await WireServer.open();
    const role = 'arn:aws:sts::111122223333:assumed-role/poller/poll';
    server.on(SUBMIT, error(403, 'AccessDeniedException', `User: ${role} is not authorized`));
    await expect(provider.submit(job, context(server))).rejects.toMatchObject({
      kind: 'credential',
      message: 'The provider returned 403: User: [redacted] is not authorized',
    });
  });

  test.each([['https://evil.example/a'], ['../secrets'], [7]])('named %p is refused', async (odd) => {
    await using server = await WireServer.open();
    server.on(SUBMIT, json(200, { invocationArn: odd }));
    await expect(provider.submit(job, context(server))).rejects.toMatchObject({ kind: 'ambiguous' });
  });

  test('is never confused with another', async () => {
    await using server = await WireServer.open();
    server.on(POLL, json(200, { invocationArn: `${invocationArn}0`, status: 'Completed' }));
    await expect(provider.poll(ref, context(server))).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
