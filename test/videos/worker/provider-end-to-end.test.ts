import { expect, test } from '@jest/globals';
import { bundledCatalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import { openaiVideos } from '../../../functions/videos/providers/openai-videos.ts';
import { ProviderContexts } from '../../../functions/videos/worker/provider-contexts.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { json, KEY, WireServer } from '../providers/wire-server.ts';
import { JobWorld } from './job-world.ts';

test('a job is sent to a stage’s own server over HTTP, and its video is fetched', async () => {
  await using server = await WireServer.open();
  server.on('POST /v1/videos', json(429, {}, { 'retry-after': '3' }), json(200, { id: 'v1' }));
  server.on(
    'GET /v1/videos/v1',
    json(200, { id: 'v1', status: 'in_progress', progress: 50 }),
    json(502, {}),
    json(200, { id: 'v1', status: 'completed' }),
  );
  server.on('GET /v1/videos/v1/content', (response) => response.writeHead(200).end('the video'));

  const world = new JobWorld({}, aJob({ provider: 'openai-videos' }));
  const contexts = new ProviderContexts({
    catalogue: async () => bundledCatalogue,
    providers: { 'openai-videos': { credential: 'workspace', base_url: `${server.origin}/v1` } },
    allowedHosts: new Set(),
    milliseconds: 20_000,
    keyOf: async (workspaceId) => (workspaceId === 'ws-1' ? KEY : undefined),
    now: world.ports.now,
  });
  Object.assign(world.ports, {
    provider: () => openaiVideos,
    providerContext: contexts.of.bind(contexts),
  });
  await world.run();

  expect(world.job).toMatchObject({
    status: 'completed',
    upstream_id: 'v1',
    outputs: [{ size_bytes: 'the video'.length }],
  });
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /v1/videos',
    'POST /v1/videos',
    'GET /v1/videos/v1',
    'GET /v1/videos/v1',
    'GET /v1/videos/v1',
    'GET /v1/videos/v1',
    'GET /v1/videos/v1/content',
  ]);
  for (const { headers } of server.requests) expect(headers.authorization).toBe(`Bearer ${KEY}`);
});
