import { randomBytes } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from '@jest/globals';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { broadcastEnd } from '../../functions/broadcast/trace.ts';
import { ReplayStore } from '../../functions/gate/answer-once.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { issueKey } from '../../functions/keys/create-key.ts';
import { DeadKeys, KeyLives, noGuardrails } from '../../functions/keys/key-lives.ts';
import { KeyStore } from '../../functions/keys/key-store.ts';
import { KnownHosts, StreakStore } from '../../functions/webhooks/delivery/host-health.ts';
import { LaneStore } from '../../functions/webhooks/delivery/lane-store.ts';
import { newEvent, testEvent } from '../../functions/webhooks/events/event.ts';
import type { Holding } from '../../functions/workspaces/remove-workspace.ts';
import { defaultWorkspace } from '../../functions/workspaces/workspace.ts';
import { WorkspaceStore } from '../../functions/workspaces/workspace-store.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { StageProcess } from '../deployed/stage-process.ts';
import { AwsWorld, faultAt } from '../engines/index.ts';
import { listsOf } from '../lists/lists-of.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const WORKSPACES = ['ws-1', 'ws-2'];

let world: AwsWorld;
let stage: StageProcess;
let deployed: DeployedStage;
beforeEach(() => {
  world = new AwsWorld({ start: NOW });
  deployed = new DeployedStage(world);
  stage = new StageProcess(world, deployed);
});

async function rowsOf(TableName: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await stage.aws.dynamo.send(new ScanCommand({ TableName }));
  return Items;
}

/** Removes all of the first workspace. Returns at how many points it could have been stopped. */
const purge = async (holding: Holding): Promise<number> =>
  (await Array.fromAsync(holding.removeAll('ws-1'))).length;

test('answers about a workspace go with it, and are found by nothing else than its id', async () => {
  const replays = new ReplayStore(stage.aws.dynamo, deployed.name('Replays'));
  const answer = { fingerprint: 'f', status: 202, headers: {}, body: '{}', until: NOW.getTime() + 1 };
  for (const workspace_id of WORKSPACES) {
    for (let i = 0; i < 30; i++) {
      const remembered = { ...answer, id: `${workspace_id}-${i}`, workspace_id };
      await transact(stage.aws.dynamo, { replay: replays.insertion(remembered, NOW) });
    }
  }
  await transact(stage.aws.dynamo, { replay: replays.insertion({ ...answer, id: 'old' }, NOW) });
  expect(await purge(replays)).toBe(2);
  const left = await rowsOf(deployed.name('Replays'));
  expect(new Set(left.map(({ workspace_id }) => workspace_id))).toEqual(new Set(['ws-2', undefined]));
  expect(left).toHaveLength(31);
});

test('rows that an index shows for minutes after they are gone are deleted once', async () => {
  let lag = 0;
  world = new AwsWorld({ start: NOW, lag: (of) => (of === 'indexes' ? lag : 0) });
  stage = new StageProcess(world, new DeployedStage(world));
  const { events } = stage;
  for (let i = 0; i < 60; i++) await events.create(testEvent(`msg_${i}`, 'ws-1', 'https://a.example/', NOW));
  lag = 600_000;
  await purge(events);
  expect(await rowsOf(stage.tables.events)).toEqual([]);
  const operations = world.journal.calls.map(({ operation }) => operation);
  expect(operations.filter((operation) => operation === 'Query')).toHaveLength(3);
});

test('events go with their traces, which are in no list, also where DynamoDB leaves some of a batch', async () => {
  const { events } = stage;
  const queue = { send: async () => undefined };
  const tracing = { isWanted: async () => true, events, queue, now: () => NOW };
  for (const workspace_id of WORKSPACES) {
    for (let i = 0; i < 20; i++) {
      const content = { id: `msg_${workspace_id}-${i}`, workspace_id, job_id: 'vid', type: 't', body: '{}' };
      const event = newEvent(content, NOW);
      const isReleased = i === 0;
      const last = isReleased ? { ...event, webhook_id: `msg_${workspace_id}-new` } : event;
      await events.create(last);
      await broadcastEnd(event, tracing);
      if (isReleased) await broadcastEnd(last, tracing);
    }
    await events.create(testEvent(`msg_${workspace_id}-test`, workspace_id, 'https://a.example/', NOW));
  }
  world.faults = faultAt({ operation: 'BatchWriteItem', nth: 1 }, 'unprocessed');
  await purge(events);
  const left = await rowsOf(stage.tables.events);
  expect(new Set(left.map(({ workspace_id }) => workspace_id))).toEqual(new Set(['ws-2']));
  expect(left).toHaveLength(42);
});

test('hosts to which a workspace sends are forgotten, with their lanes and failures', async () => {
  const table = deployed.name('Webhooks-Hosts');
  const lanes = new LaneStore(stage.aws.dynamo, table, { workspace: 5, host: 3 });
  const streaks = new StreakStore(stage.aws.dynamo, table);
  for (const workspaceId of WORKSPACES) {
    for (const host of ['one.example', 'two.example']) {
      await streaks.extend(workspaceId, host, NOW);
      await lanes.enter({ workspaceId, host }, { now: NOW, lapsesAt: NOW.getTime() + 1, token: host });
    }
  }
  await purge(new KnownHosts(stage.aws.dynamo, table));
  expect((await rowsOf(table)).map(({ id }) => id).toSorted()).toEqual([
    'LANE#ws-2',
    'STREAK#ws-2#one.example',
    'STREAK#ws-2#two.example',
  ]);
});

test('keys go, from the lists too', async () => {
  const { dynamo } = stage.aws;
  const keys = new KeyStore(dynamo, deployed.name('Keys'));
  const workspaces = new WorkspaceStore(dynamo, deployed.name('Workspaces'));
  const lists = listsOf(dynamo, deployed);
  const lives = new KeyLives({ keys, workspaces, lists, accounts: stage.accounts, guardrails: noGuardrails });
  for (const id of WORKSPACES) {
    await workspaces.create({ ...defaultWorkspace(NOW, 'test'), id, slug: id }, lists);
    for (let i = 0; i < 12; i++) {
      const who = { name: `Key ${i}`, workspaceId: id, creatorUserId: null, externalUser: null };
      const request = { kind: 'normal', ...who, expiresAt: null, rateLimits: {}, scope: UNLIMITED } as const;
      const { stored } = issueKey(request, NOW, randomBytes);
      await lives.begin(stored, { limits: {}, countsByok: false });
      await lives.change(stored.hash, { disabled: true }, NOW);
    }
  }
  expect(await purge(new DeadKeys(keys, lists))).toBe(12);
  const left = await rowsOf(deployed.name('Keys'));
  expect(left.map(({ workspace_id }) => workspace_id)).toEqual(Array(12).fill('ws-2'));
});
