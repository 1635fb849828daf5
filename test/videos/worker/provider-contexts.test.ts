import { describe, expect, test } from '@jest/globals';
import { bundledCatalogue, Catalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import type { DecryptedKey, ProviderInputs } from '../../../functions/videos/providers/provider.ts';
import type { ProvidersSettings } from '../../../functions/videos/providers/provider-settings.ts';
import {
  ProviderContexts,
  type ProviderContextsOptions,
} from '../../../functions/videos/worker/provider-contexts.ts';
import { DEFAULT_WORKSPACE_ID } from '../../../functions/workspaces/workspace.ts';
import { aCandidate, aJob } from '../jobs/job-fixture.ts';
import { json, START, WireServer } from '../providers/wire-server.ts';

const unread = () => Promise.reject(new Error('not read'));
const inputs: ProviderInputs = { link: unread, read: unread };

function contextsOf(
  providers: ProvidersSettings,
  change: Partial<ProviderContextsOptions> = {},
): ProviderContexts {
  return new ProviderContexts({
    catalogue: async () => bundledCatalogue,
    providers,
    allowedHosts: new Set(),
    milliseconds: 5_000,
    keyOf: async (workspaceId, provider) => (workspaceId === 'ws-1' ? `${provider}-key` : undefined),
    inputsOf: () => inputs,
    now: () => START,
    ...change,
  });
}

/** A key is told to a request to the provider's own origin only. */
function shown(key: DecryptedKey | undefined): string | undefined {
  const own = new URL('https://vendor.example');
  return key?.headersFor(own, own, (secret) => ({ secret })).secret;
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
    expect({ ...(apiKey === undefined ? {} : { apiKey: shown(apiKey) }), settings }).toEqual(expected);
  });

  test.each([
    [false, `${DEFAULT_WORKSPACE_ID} for everybody`],
    [true, 'ws-1 for its key'],
  ])('has a shared key unless the job runs on its workspace’s own: %p', async (isByok, expected) => {
    const keyOf: ProviderContextsOptions['keyOf'] = async (workspaceId, _, { keyHash }) =>
      `${workspaceId} for ${keyHash === undefined ? 'everybody' : 'its key'}`;
    const contexts = contextsOf({ fal: { credential: 'shared' } }, { keyOf });
    const job = { ...aJob({ workspace_id: 'ws-1' }), is_byok: isByok };
    expect(shown((await contexts.of('fal', job)).apiKey)).toBe(expected);
  });

  test.each([
    [{ creator: 'user-1' }, 'for key-1 of user-1'],
    [{}, 'for key-1 of key-1'],
  ])('has a key for the key that submitted the job, and for its user: %p', async (row, expected) => {
    const keyOf: ProviderContextsOptions['keyOf'] = async (_, __, { keyHash, userId }) =>
      `for ${keyHash} of ${userId}`;
    const contexts = contextsOf({ fal: { credential: 'workspace' } }, { keyOf });
    const job = aJob({ key_hash: 'key-1', ...row });
    expect(shown((await contexts.of('fal', job)).apiKey)).toBe(expected);
  });

  test('has no key if the workspace has stored none', async () => {
    const contexts = contextsOf({ fal: { credential: 'workspace' } });
    expect(await contexts.of('fal', aJob({ workspace_id: 'ws-2' }))).not.toHaveProperty('apiKey');
  });

  test('still has the key for a model whose offer was removed from the catalogue', async () => {
    const offer = bundledCatalogue.offer('fal/veo-3.1')!;
    const keyOf: ProviderContextsOptions['keyOf'] = async (_, __, { models }) =>
      models?.includes('google/veo-3.1') ? 'key-of-veo' : undefined;
    const choice = { video: aJob().request, candidates: [aCandidate({ offer, isByok: true })] } as const;
    const job = aJob({}, { model: offer.id, choice });
    for (const catalogue of [bundledCatalogue, new Catalogue([])]) {
      const contexts = contextsOf(
        { fal: { credential: 'workspace' } },
        { keyOf, catalogue: async () => catalogue },
      );
      expect(shown((await contexts.of('fal', job)).apiKey)).toBe('key-of-veo');
    }
  });

  test('allows the stage’s own private address only for that provider', async () => {
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
