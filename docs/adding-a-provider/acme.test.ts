import { describe, expect, test } from '@jest/globals';
import { aProviderJob, json, WireServer } from '../../test/videos/providers/wire-server.ts';
import { acme as provider } from './acme.ts';

const SUBMIT = 'POST /v1/jobs';
const POLL = 'GET /v1/jobs/j1';
const ref = { id: 'j1' };

describe('a job at Acme', () => {
  test('is submitted and polled until it is ready', async () => {
    await using server = await WireServer.open();
    const context = server.context('/v1');
    server.on(SUBMIT, json(201, { id: 'j1' }));
    expect(await provider.submit(aProviderJob(), context)).toEqual({ ref, upstreamId: 'j1' });
    expect(server.lastJson()).toEqual({
      model: 'model-1',
      prompt: 'A red fox',
      seconds: 5,
      size: '1280x720',
    });
    server.on(
      POLL,
      json(200, { id: 'j1', state: 'waiting' }),
      json(200, { id: 'j1', state: 'a state that is not documented' }),
      json(200, { id: 'j1', state: 'ready', results: ['https://cdn.acme.example/v.mp4'] }),
    );
    expect(await provider.poll(ref, context)).toEqual({ state: 'queued' });
    expect(await provider.poll(ref, context)).toEqual({ state: 'running' });
    expect(await provider.poll(ref, context)).toEqual({
      state: 'succeeded',
      outputs: [{ kind: 'url', url: 'https://cdn.acme.example/v.mp4' }],
    });
  });
});
