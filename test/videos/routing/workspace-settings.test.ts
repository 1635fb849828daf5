import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { transact } from '../../../functions/aws/dynamo-writes.ts';
import { changeGuardrail, createGuardrail } from '../../../functions/guardrails/change-guardrail.ts';
import { GuardrailStore } from '../../../functions/guardrails/guardrail-store.ts';
import { readPolicy } from '../../../functions/guardrails/workspace-policy.ts';
import { UNLIMITED } from '../../../functions/http/scope.ts';
import { guardrailAccount, workspaceAccount } from '../../../functions/money/account.ts';
import { AccountStore } from '../../../functions/money/account-store.ts';
import { micros } from '../../../functions/money/micros.ts';
import { Catalogue } from '../../../functions/videos/catalogue/catalogue.ts';
import { chooseForCaller } from '../../../functions/videos/routing/choose-for-caller.ts';
import { NO_FIGURES } from '../../../functions/videos/routing/figures.ts';
import { changeBudget } from '../../../functions/workspaces/change-budget.ts';
import {
  createWorkspace,
  newWorkspaceSchema,
  ownGuardrailId,
} from '../../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../../functions/workspaces/workspace-store.ts';
import { aGuardrail, aPolicy } from '../../guardrails/a-policy.ts';
import { listsOf } from '../../lists/lists-of.ts';
import { aProviderKey } from '../../provider-keys/a-provider-key.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { SweptStage, slowProvider } from '../worker/swept-stage.ts';
import { anOffer, aRequest, NOW, priced } from './an-offer.ts';

const anybody = { kind: 'management', workspaceId: '', scope: UNLIMITED } as const;

const OFFERS = [
  anOffer('cheap', { ...priced(10), typical_seconds: 90, quality: 1 }),
  anOffer('fast', { ...priced(30), typical_seconds: 20, quality: 2 }),
  anOffer('good', { ...priced(20), typical_seconds: 40, quality: 3 }),
];

async function aWorkspace(stage: SweptStage, fields: Record<string, unknown>) {
  const store = new WorkspaceStore(stage.dynamo, stage.stage.name('Workspaces'));
  const requested = v.parse(newWorkspaceSchema, { name: 'Test', slug: 'test', ...fields });
  const workspace = createWorkspace(requested, { id: randomUUID(), createdBy: 'hash', now: NOW });
  await store.create(workspace, { write: (items) => transact(stage.dynamo, items) });
  return { store, id: workspace.id };
}

/** The choice of offers for a workspace, with its settings read from the tables. */
async function chooserOf(stage: SweptStage, fields: Record<string, unknown>, dataDiscount = 0) {
  const { store: workspaces, id } = await aWorkspace(stage, fields);
  const guardrails = new GuardrailStore(stage.dynamo, stage.stage.name('Guardrails'));
  const accounts = new AccountStore(stage.dynamo, stage.stage.name('Accounts'));
  const lists = listsOf(stage.dynamo, stage.stage);
  const stores = { client: stage.dynamo, workspaces, guardrails, accounts, lists, now: () => NOW };
  const settings = (credential: 'none' | 'workspace') =>
    Object.fromEntries(OFFERS.map(({ provider: name }) => [name, { credential }]));
  const choose = (
    provider: Record<string, unknown> = {},
    credential: 'none' | 'workspace' = 'none',
    guardrailId: string | null = null,
    asked: Record<string, unknown> = {},
  ) =>
    chooseForCaller(
      aRequest({ provider, ...asked }),
      { workspaceId: id, keyHash: 'key-1', creator: 'user-1', guardrailId },
      {
        catalogue: async () => new Catalogue(OFFERS),
        providers: settings(credential),
        policyOf: (workspaceId) => readPolicy(workspaceId, stores),
        guardrailOf: (named) => guardrails.find(named),
        dataDiscount,
        keysOf: async () => OFFERS.map(({ provider: name }) => aProviderKey(name, { provider: name })),
        figures: async () => () => NO_FIGURES,
        now: () => NOW,
      },
    );
  return { choose, stores, id };
}

describe('default_provider_sort', () => {
  test.each([
    ['price', 'cheap'],
    ['latency', 'fast'],
    ['throughput', 'fast'],
    ['exacto', 'good'],
    [null, 'cheap'],
  ])(
    'of %s sends a request that names no sort to the offer that is %s',
    async (default_provider_sort, expected) => {
      const stage = new SweptStage(slowProvider());
      const { choose } = await chooserOf(stage, { default_provider_sort });
      expect((await choose()).candidates[0].offer.provider).toBe(expected);
      expect((await choose({ sort: 'exacto' })).candidates[0].offer.provider).toBe('good');
    },
  );
});

describe('default_guardrail_id', () => {
  test('narrows the choice, and says which limit a job counts against', async () => {
    const { choose, stores, id } = await chooserOf(new SweptStage(slowProvider()), {});
    const own = ownGuardrailId(id);
    expect(await choose()).not.toHaveProperty('guardrailId');
    await changeGuardrail(anybody, own, { ignored_providers: ['cheap'] }, stores);
    const { candidates } = await choose();
    expect(candidates.map(({ offer }) => offer.provider)).toEqual(['good', 'fast']);
    await expect(choose({ only: ['cheap'] })).rejects.toMatchObject({
      status: 404,
      metadata: { rule: 'ignored_providers', guardrail_id: own },
    });
    await expect(choose({}, 'none', null, { duration: 99 })).rejects.toThrow('by fast/fox or good/fox;');
    await changeGuardrail(anybody, own, { ignored_providers: null, limit_usd: micros(5) }, stores);
    expect(await choose()).toMatchObject({ guardrailId: own, candidates: { length: 3 } });
  });

  test('of a workspace is for the keys that name none', async () => {
    const stage = new SweptStage(slowProvider());
    const { choose, stores, id } = await chooserOf(stage, {});
    const own = ownGuardrailId(id);
    await changeGuardrail(anybody, own, { ignored_providers: ['cheap'], limit_usd: micros(5) }, stores);
    const keys = aGuardrail({ id: randomUUID(), workspace_id: id, allowed_providers: ['cheap'] });
    await createGuardrail(keys, stores);
    const by = (guardrailId: string | null) => choose({}, 'none', guardrailId);
    const names = async (guardrailId: string | null) =>
      (await by(guardrailId)).candidates.map(({ offer }) => offer.provider);
    expect(await names(null)).toEqual(['good', 'fast']);
    expect(await names(own)).toEqual(['good', 'fast']);
    expect(await names(keys.id)).toEqual(['cheap']);
    expect(await by(own)).toHaveProperty('guardrailId', own);
    expect(await by(keys.id)).not.toHaveProperty('guardrailId');
    await changeGuardrail(anybody, keys.id, { limit_usd: micros(1) }, stores);
    expect(await by(keys.id)).toHaveProperty('guardrailId', keys.id);
    await expect(by(randomUUID())).rejects.toThrow('does not exist');
  });

  test.each([
    [60, true],
    [59, false],
  ])('of a limit of %i lets a job of 60 in: %s', async (limit, isIn) => {
    const stage = new SweptStage(slowProvider());
    const { stores, id } = await chooserOf(stage, {});
    const own = ownGuardrailId(id);
    await changeGuardrail(anybody, own, { limit_usd: micros(limit), reset_interval: 'weekly' }, stores);
    const job = aJob({ workspace_id: id, estimate_micros: micros(60), guardrail_id: own });
    const submit = stage.admit(job);
    if (isIn) await submit;
    else await expect(submit).rejects.toMatchObject({ status: 402, metadata: { scope: 'guardrail' } });
    const account = await stores.accounts.readOne(guardrailAccount(own));
    expect(account).toMatchObject({ reserved: isIn ? 60 : 0, open_jobs: isIn ? 1 : 0 });
  });
});

describe('is_data_discount_logging_enabled', () => {
  const SECONDS = 4;

  test.each([
    [true, 'none', 0.15, [34, 68, 102]],
    [true, 'none', 0, [40, 80, 120]],
    [false, 'none', 0.15, [40, 80, 120]],
    // With the workspace's own key, the provider sends the bill, so the discount does not apply.
    [true, 'workspace', 0.15, [40, 80, 120]],
  ] as const)(
    '%s, on accounts of credential %s, with a data discount of %f: a video costs %j',
    async (is_data_discount_logging_enabled, credential, discount, prices) => {
      const stage = new SweptStage(slowProvider());
      const { choose } = await chooserOf(stage, { is_data_discount_logging_enabled }, discount);
      const { candidates, video } = await choose({ sort: 'price' }, credential);
      expect(video.duration_seconds).toBe(SECONDS);
      expect(candidates.map(({ estimateMicros }) => estimateMicros)).toEqual(prices);
    },
  );

  test('lowers the hold and the charge, which stays within the hold', async () => {
    const provider = slowProvider();
    const stage = new SweptStage(provider);
    const { choose, stores, id } = await chooserOf(stage, {}, 0.15);
    const { candidates, dataDiscount } = await choose({ sort: 'price' });
    expect(dataDiscount).toBe(0.15);
    const [{ estimateMicros }] = candidates;
    await stage.admit(aJob({ workspace_id: id, estimate_micros: estimateMicros, data_discount: 0.15 }));
    expect(await stores.accounts.readOne(workspaceAccount(id))).toMatchObject({ reserved: 34 });
    provider.isDone = true;
    await stage.run(4);
    expect(await stores.accounts.readOne(workspaceAccount(id))).toMatchObject({
      reserved: 0,
      lifetime: { committed: 34, spent: 34 },
    });
  });
});

describe('include_byok_in_budgets', () => {
  const [first] = [{ endpoint: 'one/fox', provider: 'one', estimate_micros: micros(90), is_byok: true }];
  const shared = { endpoint: 'two/fox', provider: 'two', estimate_micros: micros(40), is_byok: false };

  test.each([
    [true, 90, 90],
    [false, 40, 0],
  ])(
    '%s: a job on the workspace’s own key, with a shared one after it, holds %i and costs %i of the budget',
    async (includeByok, held, spent) => {
      const provider = slowProvider();
      const stage = new SweptStage(provider);
      const { store: workspaces, id } = await aWorkspace(stage, {});
      const accounts = new AccountStore(stage.dynamo, stage.stage.name('Accounts'));
      const ports = { client: stage.dynamo, accounts, workspaces, now: stage.ports.now };
      await changeBudget(id, { interval: 'lifetime', micros: micros(1_000), includeByok }, ports);
      expect((await workspaces.findById(id))?.include_byok_in_budgets).toBe(includeByok);

      const job = aJob({ workspace_id: id, ...first!, alternatives: [shared] });
      Object.assign(stage.ports, {
        catalogue: async () => new Catalogue([anOffer('one'), anOffer('two')]),
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
  test('come before cheaper offers, and without a key a provider is left out', async () => {
    const settings = {
      cheap: { credential: 'none' },
      fast: { credential: 'workspace' },
      good: { credential: 'workspace' },
    } as const;
    const { candidates } = await chooseForCaller(
      aRequest(),
      { workspaceId: 'ws-1', keyHash: 'key-1', creator: 'user-1', guardrailId: null },
      {
        catalogue: async () => new Catalogue(OFFERS),
        providers: settings,
        policyOf: async () => aPolicy(),
        guardrailOf: async () => undefined,
        dataDiscount: 0,
        keysOf: async () => [aProviderKey('a', { provider: 'fast' })],
        figures: async () => () => NO_FIGURES,
        now: () => NOW,
      },
    );
    expect(candidates.map(({ offer, isByok }) => [offer.provider, isByok])).toEqual([
      ['fast', true],
      ['cheap', false],
    ]);
  });
});
