import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, jest, test } from '@jest/globals';
import { ownGuardrail } from '../../../functions/guardrails/guardrail.ts';
import { REMOVAL_LISTING } from '../../../functions/tables.ts';
import { testEvent } from '../../../functions/webhooks/events/event.ts';
import { workspaceKey } from '../../../functions/workspaces/workspace-rows.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../../engines/index.ts';
import { storedKey } from '../../keys/stored-key.ts';
import { aProviderKey } from '../../provider-keys/a-provider-key.ts';
import { aJob, START } from '../../videos/jobs/job-fixture.ts';

const world = new AwsWorld();
const stage = new DeployedStage(world);
const { dynamo, s3 } = world.startProcess();
jest.unstable_mockModule('../../../functions/aws/dynamo.ts', () => ({ dynamo }));
jest.unstable_mockModule('../../../functions/aws/s3.ts', () => ({ s3, s3In: () => s3 }));
const environment = stage.environment('sweep-workspaces');
Object.assign(process.env, environment, { POWERTOOLS_LOG_LEVEL: 'SILENT' });
const { handler } = await import('../../../functions/endpoints/workspaces/sweep-workspaces.ts');

const MARK = 'planted';
const HOOK = `https://${MARK}.example`;
const THEN = START.toISOString();
const ID = 'ws-1';
const inIt = { workspace_id: ID, created_at: THEN };

/** Of a workspace that was deleted long ago: a row for each table of the function's. Rows of lists only name others. */
const ROWS: Readonly<Record<string, object>> = {
  BROADCAST_TABLE: { ...inIt, url: HOOK },
  EVENTS_TABLE: testEvent('msg_1', ID, HOOK, START),
  FIGURES_TABLE: { part: 'all', endpoint: 'fal', own_rest: { workspace_id: ID, until: 1, why: MARK } },
  FILES_TABLE: { ...inIt, id: 'gw_file_1', filename: MARK },
  GENERATION_LOGS_TABLE: { ...inIt, generation_id: 'gen_1', content: MARK },
  GUARDRAILS_TABLE: { ...ownGuardrail({ id: ID, created_at: THEN }), name: MARK },
  HOSTS_TABLE: { ...inIt, id: `STREAK#${MARK}.example` },
  JOBS_TABLE: { ...aJob(), phase: 'settled', status: 'failed', completed_at: THEN, callback_url: HOOK },
  KEYS_TABLE: { ...storedKey({ name: MARK, disabled: true }), listing: 'key', listed_as: THEN },
  PROVIDER_KEYS_TABLE: aProviderKey('1', { name: MARK }),
  REPLAYS_TABLE: { ...inIt, id: 'replay', body: MARK },
  WEBHOOK_SETTINGS_TABLE: { ...inIt, default_callback_url: HOOK },
  WORKSPACES_TABLE: {
    ...{ pk: workspaceKey(ID), id: ID, slug: MARK, created_at: THEN },
    ...{ listing: REMOVAL_LISTING, removed_at: THEN, emptied_at: THEN },
  },
};
const KEYS: Readonly<Record<string, string>> = {
  FILES_BUCKET: `${ID}/gw_file_1`,
  RESULTS_BUCKET: `kept-30d/${ID}/vid_1/0.mp4`,
};

async function plant(): Promise<void> {
  for (const [name, Item] of Object.entries(ROWS)) {
    await dynamo.send(new PutCommand({ TableName: environment[name], Item: { ...Item } }));
  }
  for (const [name, Key] of Object.entries(KEYS)) {
    await s3.send(new PutObjectCommand({ Bucket: environment[name], Key, Body: MARK }));
  }
}

/** Which of the function's tables have the mark, and which of its buckets have anything. */
async function marked(): Promise<string[]> {
  const found = Object.entries(environment).map(async ([name, place]) => {
    if (name.endsWith('_TABLE')) {
      const { Items } = await dynamo.send(new ScanCommand({ TableName: place }));
      return JSON.stringify(Items).includes(MARK) ? [name] : [];
    }
    if (!name.endsWith('_BUCKET')) return [];
    const { KeyCount = 0 } = await s3.send(new ListObjectsV2Command({ Bucket: place }));
    return KeyCount > 0 ? [name] : [];
  });
  return (await Promise.all(found)).flat().toSorted();
}

test('the sweeper empties each table and bucket that it may change of what a deleted workspace held', async () => {
  await plant();
  const places = Object.keys(environment).filter((name) => /_(TABLE|BUCKET)$/.test(name));
  expect(await marked()).toEqual(places.filter((name) => name !== 'LISTS_TABLE').toSorted());
  await handler();
  expect(await marked()).toEqual([]);
});
