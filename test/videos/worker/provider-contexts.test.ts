import { describe, expect, test } from '@jest/globals';
import { bundledCatalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import type { ProviderInputs } from '../../../functions/videos/providers/provider.ts';
import type { ProvidersSettings } from '../../../functions/videos/providers/provider-settings.ts';
import { ProviderContexts } from '../../../functions/videos/worker/provider-contexts.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { json, START, WireServer } from '../providers/wire-server.ts';

const unread = () => Promise.reject(new Error('not read'));
const inputs: ProviderInputs = { link: unread, read: unread };

function contextsOf(providers: ProvidersSettings): ProviderContexts {
  return new ProviderContexts({
    catalogue: async () => bundledCatalogue,
    providers,
    allowedHosts: new Set(),
    milliseconds: 5_000,
    keyOf: async (workspaceId, provider) => (workspaceId === 'ws-1' ? `${provider}-key` : undefined),
    inputsOf: () => inputs,
    now: () => START,
  });
}

describe('the context of a provider', () => {
  test.each([
    ['fal', 'ws-1', { apiKey: 'fal-key', settings: { credential: 'workspace' } }],
    ['openai-videos', 'ws-1', { settings: { credential: 'none' } }],
    ['sandbox', 'ws-1', { settings: { credential: 'none' } }],
    ['no-longer-offered', 'ws-1', { apiKey: 'no-longer-offered-key', settings: { credential: 'workspace' } }],
  ])('%s of %s', async (provider, workspace, expected) => {
    const contexts = contextsOf({
      fal: { credential: 'workspace' },
      'openai-videos': { credential: 'none' },
    });
    const { apiKey, settings } = await contexts.of(provider, aJob({ workspace_id: workspace }));
    expect({ ...(apiKey === undefined ? {} : { apiKey }), settings }).toEqual(expected);
  });

  test('has no key where the workspace has stored none', async () => {
    const contexts = contextsOf({ fal: { credential: 'workspace' } });
    expect(await contexts.of('fal', aJob({ workspace_id: 'ws-2' }))).not.toHaveProperty('apiKey');
  });

  test('opens the stage’s own private address to that provider alone', async () => {
    await using server = await WireServer.open();
    server.on('GET /', json(200, {}));
    const contexts = contextsOf({
      'openai-videos': { credential: 'none', base_url: server.origin },
      fal: { credential: 'none' },
    });
    const own = await contexts.of('openai-videos', aJob());
    expect((await own.fetch(server.origin)).status).toBe(200);
    const other = await contexts.of('fal', aJob());
    await expect(other.fetch(server.origin)).rejects.toMatchObject({ name: 'EgressRefused' });
  });
});
