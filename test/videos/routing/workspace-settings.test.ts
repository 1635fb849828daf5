import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { transact } from '../../../functions/aws/transact.ts';
import { changeBudget } from '../../../functions/budgets/change-budget.ts';
import { workspaceAccount } from '../../../functions/money/account.ts';
import { AccountStore } from '../../../functions/money/account-store.ts';
import { Catalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import { chooseForCaller } from '../../../functions/videos/routing/choose-for-caller.ts';
import { NO_FIGURES } from '../../../functions/videos/routing/figures.ts';
import { createWorkspace, newWorkspaceSchema } from '../../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../../functions/workspaces/workspace-store.ts';
import { aProviderKey } from '../../provider-keys/a-provider-key.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { SweptStage, slowProvider } from '../worker/swept-stage.ts';
import { anEndpoint, aRequest, NOW, priced } from './an-endpoint.ts';

const ENDPOINTS = [
  anEndpoint('cheap', { ...priced(10), typical_seconds: 90, quality: 1 }),
  anEndpoint('fast', { ...priced(30), typical_seconds: 20, quality: 2 }),
  anEndpoint('good', { ...priced(20), typical_seconds: 40, quality: 3 }),
];

async function aWorkspace(stage: SweptStage, fields: Record<string, unknown>) {
  const store = new WorkspaceStore(stage.dynamo, stage.name('Workspaces'));
  const requested = v.parse(newWorkspaceSchema, { name: 'Test', slug: 'test', ...fields });
  const workspace = createWorkspace(requested, { id: randomUUID(), createdBy: 'hash', now: NOW });
  await store.create(workspace, { write: (items) => transact(stage.dynamo, items) });
  return { store, id: workspace.id };
}

describe('default_provider_sort', () => {
  test.each([
    ['price', 'cheap'],
    ['latency', 'fast'],
    ['throughput', 'fast'],
    ['exacto', 'good'],
    [null, 'cheap'],
  ])(
    'of %s sends a request that names no sort to the %s endpoint',
    async (default_provider_sort, expected) => {
      const stage = new SweptStage(slowProvider());
      const { store, id } = await aWorkspace(stage, { default_provider_sort });
      const choose = (provider = {}) =>
        chooseForCaller(
          aRequest({ provider }),
          { workspaceId: id, keyHash: 'key-1' },
          {
            catalogue: async () => new Catalogue(ENDPOINTS),
            providers: Object.fromEntries(
              ENDPOINTS.map(({ provider: name }) => [name, { credential: 'none' as const }]),
            ),
            usualSort: async (workspaceId) =>
              (await store.findById(workspaceId))?.default_provider_sort ?? null,
            keysOf: async () => [],
            figures: async () => () => NO_FIGURES,
            now: () => NOW,
          },
        );
      expect((await choose()).candidates[0].endpoint.provider).toBe(expected);
      expect((await choose({ sort: 'exacto' })).candidates[0].endpoint.provider).toBe('good');
    },
  );
});

describe('include_byok_in_budgets', () => {
  const [first] = [{ endpoint: 'one/fox', provider: 'one', estimate_micros: 90, is_byok: true }];
  const shared = { endpoint: 'two/fox', provider: 'two', estimate_micros: 40, is_byok: false };

  test.each([
    [true, 90, 90],
    [false, 40, 0],
  ])(
    '%s: a job on the workspace’s own key, with a shared one after it, holds %i and costs %i of the budget',
    async (includeByok, held, spent) => {
      const provider = slowProvider();
      const stage = new SweptStage(provider);
      const { store: workspaces, id } = await aWorkspace(stage, {});
      const accounts = new AccountStore(stage.dynamo, stage.name('Accounts'));
      const ports = { client: stage.dynamo, accounts, workspaces, now: stage.ports.now };
      await changeBudget(id, { interval: 'lifetime', micros: 1_000, includeByok }, ports);
      expect((await workspaces.findById(id))?.include_byok_in_budgets).toBe(includeByok);

      const job = aJob({ workspace_id: id, ...first!, alternatives: [shared] });
      Object.assign(stage.ports, {
        catalogue: async () => new Catalogue([anEndpoint('one'), anEndpoint('two')]),
      });
      await stage.admit(job);
      expect(await accounts.readOne(workspaceAccount(id))).toMatchObject({ reserved: held });
      provider.isDone = true;
      await stage.run(4);
      expect(await stage.jobs.find(job.id)).toMatchObject({
        status: 'completed',
        provider: 'one',
        cost_micros: 90,
      });
      const account = await accounts.readOne(workspaceAccount(id));
      expect(account).toMatchObject({ reserved: 0, lifetime: { committed: spent, byok: 90, spent: 0 } });
    },
  );
});

describe('the keys that a workspace has stored', () => {
  test('go before what is cheaper, and where there is none the provider is left out', async () => {
    const settings = {
      cheap: { credential: 'none' },
      fast: { credential: 'workspace' },
      good: { credential: 'workspace' },
    } as const;
    const { candidates } = await chooseForCaller(
      aRequest(),
      { workspaceId: 'ws-1', keyHash: 'key-1' },
      {
        catalogue: async () => new Catalogue(ENDPOINTS),
        providers: settings,
        usualSort: async () => null,
        keysOf: async () => [aProviderKey('a', { provider: 'fast' })],
        figures: async () => () => NO_FIGURES,
        now: () => NOW,
      },
    );
    expect(candidates.map(({ endpoint, isByok }) => [endpoint.provider, isByok])).toEqual([
      ['fast', true],
      ['cheap', false],
    ]);
  });
});
