import { beforeAll, expect, test } from '@jest/globals';
import { CREDITS, keyAccount, workspaceAccount } from '../../functions/money/account.ts';
import { findOffer } from '../../functions/videos/catalogue/catalogue.ts';
import { priceOf } from '../../functions/videos/catalogue/fit.ts';
import { runway } from '../../functions/videos/providers/runway.ts';
import { aJob } from '../videos/jobs/job-fixture.ts';
import { json, WireServer } from '../videos/providers/wire-server.ts';
import { dynamo } from './aws.ts';
import { JobLedger, newOwner } from './job-ledger.ts';
import { workOff } from './ledger-worker.ts';

const USD = 1_000_000;
const MODEL = findOffer('runway/gen-4.5')!;
const REQUEST = { ...aJob().request, width: 1280, height: 720, duration_seconds: 5 };
const HELD = priceOf(REQUEST, MODEL);

let ledger: JobLedger;
beforeAll(async () => {
  ledger = await JobLedger.create(dynamo);
  await ledger.limit(CREDITS, 'lifetime', 20 * USD);
});

/** Runs one job of a key with a limit of one dollar. The provider bills this many credits of one cent. */
async function run(credits: number | undefined) {
  await using server = await WireServer.open();
  server.on('POST /v1/text_to_video', json(200, { id: 't1' }));
  const cost = credits === undefined ? {} : { cost: { credits } };
  const done = { id: 't1', status: 'SUCCEEDED', output: [`${server.origin}/v.mp4`], ...cost };
  server.on('GET /v1/tasks/t1', json(200, done));
  server.on('GET /v.mp4', (response) => response.end('video'));

  const owner = newOwner();
  for (const account of owner.accounts) await ledger.limit(account, 'lifetime', USD);
  const spentBefore = (await ledger.credits()).lifetime?.spent ?? 0;
  const accepted = await ledger.accept(
    owner,
    HELD,
    {},
    {
      model: MODEL.id,
      request: REQUEST,
      deadline_at: ledger.now.getTime() + 1_800_000,
    },
  );
  const { underpriced } = await workOff(accepted.id, {
    ledger,
    provider: runway,
    context: () => server.context('/v1'),
    results: { save: async (key) => ({ key, size_bytes: 5, sha256: 'digest' }) },
  });
  const credit = await ledger.credits();
  return {
    job: await ledger.job(accepted.id),
    underpriced,
    accounts: await Promise.all(
      [keyAccount(owner.key), workspaceAccount(owner.workspace)].map((id) => ledger.account(id)),
    ),
    ofCredits: (credit.lifetime?.spent ?? 0) - spentBefore,
    reservedOfCredits: credit.reserved,
  };
}

test.each([
  ['a thousand dollars', 100_000, HELD, 1_000 * USD],
  ['a cent more than was held', HELD / 10_000 + 1, HELD, HELD + 10_000],
  ['what was held', HELD / 10_000, HELD, undefined],
  ['a cent less', HELD / 10_000 - 1, HELD - 10_000, undefined],
  ['nothing', 0, 0, undefined],
  ['no word', undefined, HELD, undefined],
])('if a provider bills %s, the caller pays at most what was held', async (_, credits, charged, upstream) => {
  const { job, underpriced, accounts, ofCredits, reservedOfCredits } = await run(credits);
  expect(job).toMatchObject({ status: 'completed', cost_micros: charged });
  expect(job.upstream_cost_micros).toBe(upstream);
  expect(underpriced).toBe(upstream === undefined ? 0 : 1);
  for (const account of accounts) {
    expect(account).toMatchObject({ reserved: 0, lifetime: { committed: charged, spent: charged } });
  }
  expect([ofCredits, reservedOfCredits]).toEqual([charged, 0]);
});
