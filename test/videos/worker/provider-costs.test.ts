import { expect, test } from '@jest/globals';
import { CREDITS, keyAccount, workspaceAccount } from '../../../functions/money/account.ts';
import { findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import { priceOf } from '../../../functions/videos/catalogue/price.ts';
import { runway } from '../../../functions/videos/providers/runway.ts';
import { JobLedger } from '../../contract/job-ledger.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { json, WireServer } from '../providers/wire-server.ts';
import { SweptStage } from './swept-stage.ts';

const USD = 1_000_000;
const MODEL = findOffer('runway/gen-4.5')!;
const REQUEST = { ...aJob().request, width: 1280, height: 720, duration_seconds: 5 };
const HELD = priceOf(REQUEST, MODEL);

/** Runs one job of a key with a limit of one dollar. The provider bills this many credits of one cent. */
async function run(credits: number | undefined) {
  await using server = await WireServer.open();
  server.on('POST /v1/text_to_video', json(200, { id: 't1' }));
  const cost = credits === undefined ? {} : { cost: { credits } };
  const done = { id: 't1', status: 'SUCCEEDED', output: [`${server.origin}/v.mp4`], ...cost };
  server.on('GET /v1/tasks/t1', json(200, done));
  server.on('GET /v.mp4', (response) => response.end('video'));

  let underpriced = 0;
  const context = async () => server.context('/v1', { now: () => stage.ports.now() });
  const stage: SweptStage = new SweptStage(runway, {
    providerContext: context,
    downloadContext: context,
    countUnderpriced: () => void underpriced++,
  });
  const ledger = new JobLedger(stage.dynamo, stage.tables);
  ledger.now = stage.ports.now();
  await ledger.limit(CREDITS, 'lifetime', 20 * USD);
  const own = { key_hash: 'key-1', workspace_id: 'ws-1' };
  for (const account of [keyAccount(own.key_hash), workspaceAccount(own.workspace_id)])
    await ledger.limit(account, 'lifetime', USD);
  const { id } = await stage.accept(
    1,
    {},
    { ...own, model: MODEL.id, request: REQUEST, estimate_micros: HELD },
  );
  await stage.run(10);
  const job = await ledger.job(id);
  return { job, underpriced, accounts: await stage.accountsOf(job), ofCredits: await ledger.credits() };
}

test.each([
  ['a thousand dollars', 100_000, HELD, 1_000 * USD],
  ['a cent more than was held', HELD / 10_000 + 1, HELD, HELD + 10_000],
  ['what was held', HELD / 10_000, HELD, undefined],
  ['a cent less', HELD / 10_000 - 1, HELD - 10_000, undefined],
  ['nothing', 0, 0, undefined],
  ['no word', undefined, HELD, undefined],
])('if a provider bills %s, the caller pays at most what was held', async (_, credits, charged, upstream) => {
  const { job, underpriced, accounts, ofCredits } = await run(credits);
  expect(job).toMatchObject({ status: 'completed', cost_micros: charged });
  expect(job.upstream_cost_micros).toBe(upstream);
  expect(underpriced).toBe(upstream === undefined ? 0 : 1);
  for (const account of accounts) {
    expect(account).toMatchObject({ reserved: 0, lifetime: { committed: charged, spent: charged } });
  }
  expect(ofCredits).toMatchObject({ reserved: 0, lifetime: { spent: charged } });
});
