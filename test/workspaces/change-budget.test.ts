import { beforeEach, expect, test } from '@jest/globals';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { InvalidRequest, NotFound } from '../../functions/http/errors.ts';
import { workspaceAccount } from '../../functions/money/account.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { micros } from '../../functions/money/micros.ts';
import { INTERVALS } from '../../functions/money/period.ts';
import { defaultWorkspace } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { waitBy } from '../aws/virtual-waits.ts';
import { createTable } from '../engines/conformance/index.ts';
import { AwsWorld } from '../engines/index.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const WORKSPACE = defaultWorkspace(NOW, 'test');

waitBy(new AwsWorld());
const { changeBudget } = await import('../../functions/workspaces/change-budget.ts');

async function start() {
  const world = new AwsWorld();
  waitBy(world);
  const { dynamo } = world.startProcess();
  const accounts = new AccountStore(dynamo, await createTable(dynamo, 'account'));
  const workspaces = new WorkspaceStore(dynamo, await createTable(dynamo, 'pk'));
  await workspaces.create(WORKSPACE, { write: (items) => transact(dynamo, items) });
  const ports = { client: dynamo, accounts, workspaces, now: () => NOW };
  const account = () => accounts.readOne(workspaceAccount(WORKSPACE.id));
  return { ports, account, workspaces };
}

let it: Awaited<ReturnType<typeof start>>;
beforeEach(async () => {
  it = await start();
});

const change = (interval: (typeof INTERVALS)[number], amount: number, includeByok?: boolean) =>
  changeBudget(WORKSPACE.id, { interval, micros: micros(amount), includeByok }, it.ports);

test('budgets that are set at the same time are all stored', async () => {
  await Promise.all(INTERVALS.map((interval, index) => change(interval, index + 1)));
  const { limits, limits_version: version } = await it.account();
  expect(INTERVALS.map((interval) => limits[interval]?.micros)).toEqual([1, 2, 3, 4]);
  expect(version).toBe(4);
});

test('if two contradictory budgets are set at the same time, one is refused', async () => {
  const outcomes = await Promise.allSettled([change('daily', 2), change('weekly', 1)]);
  const refused = outcomes.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  expect(refused).toEqual([expect.any(InvalidRequest)]);
  expect(Object.keys((await it.account()).limits)).toHaveLength(1);
});

test('whether a workspace’s own keys count is written to its account and its row in one write', async () => {
  await change('daily', 1, true);
  expect(await it.account()).toMatchObject({ counts_byok: true });
  expect(await it.workspaces.findById(WORKSPACE.id)).toMatchObject({
    include_byok_in_budgets: true,
    updated_at: NOW.toISOString(),
  });
  await change('daily', 2);
  expect(await it.account()).toMatchObject({ counts_byok: true, limits: { daily: { micros: 2 } } });
});

test('a budget of a workspace that is deleted meanwhile is not found', async () => {
  const other = { ...WORKSPACE, id: 'ws-deleted' };
  const put = { interval: 'daily', micros: micros(1), includeByok: true } as const;
  await expect(changeBudget(other.id, put, it.ports)).rejects.toThrow(NotFound);
});
