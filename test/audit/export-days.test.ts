import { GetObjectCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { expect, test } from '@jest/globals';
import type { AuditEntry } from '../../functions/audit/audit-entry.ts';
import { AuditTrail } from '../../functions/audit/audit-trail.ts';
import { exportDays } from '../../functions/audit/export-days.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';

const BUCKET = 'audit-export';

function aStage() {
  const world = new AwsWorld();
  world.s3.createBucket(BUCKET);
  const { dynamo, s3 } = world.startProcess();
  const trail = new AuditTrail(dynamo, new DeployedStage(world).name('Audit'));
  const entryAt = (at: string): AuditEntry => ({
    ...{ at, action: 'update-key', target: { hash: 'h' }, fields: [], changes: [] },
    ...{ key_hash: 'k', session_hash: null, subject: null, request_id: at, status: null },
  });
  return {
    trail,
    add: async (at: string) => trail.begin(entryAt(at), 'a1b2c3d4'),
    runAt: (now: string) =>
      exportDays({ trail, s3, bucket: BUCKET, now: () => new Date(now), tellUnreadable: () => undefined }),
    days: async () => {
      const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: BUCKET }));
      return Contents.map(({ Key }) => Key);
    },
    entriesOf: async (day: string): Promise<AuditEntry[]> => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: `${day}.jsonl` }));
      const text = (await Body?.transformToString()) ?? '';
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    },
  };
}

test('a day is copied once it has ended an hour ago, with the outcomes of its changes, oldest first', async () => {
  const { trail, add, runAt, entriesOf, days } = aStage();
  await add('2030-01-01T23:59:59.999Z');
  const places = [await add('2030-01-02T00:00:00.000Z'), await add('2030-01-02T23:59:59.999Z')];
  await add('2030-01-03T00:00:00.000Z');
  await runAt('2030-01-03T00:59:59Z');
  expect(await days()).not.toContain('2030-01-02.jsonl');
  await trail.end(places[1]!, { status: 200, changes: [] });
  await runAt('2030-01-03T01:00:00Z');
  expect((await entriesOf('2030-01-02')).map(({ at, status }) => [at, status])).toEqual([
    ['2030-01-02T00:00:00.000Z', null],
    ['2030-01-02T23:59:59.999Z', 200],
  ]);
});

test('a day is copied whole, however many entries it has, and not again', async () => {
  const { add, runAt, entriesOf } = aStage();
  const at = (index: number) => new Date(Date.parse('2030-01-02') + index * 1000).toISOString();
  for (let index = 0; index < 250; index++) await add(at(index));
  await runAt('2030-01-03T01:00:00Z');
  expect((await entriesOf('2030-01-02')).map((entry) => entry.at)).toEqual(
    Array.from({ length: 250 }, (_, index) => at(index)),
  );
  await add(at(999));
  await runAt('2030-01-03T02:00:00Z');
  expect(await entriesOf('2030-01-02')).toHaveLength(250);
});

test('days that runs have missed are copied later, for a week', async () => {
  const { runAt, days } = aStage();
  await runAt('2030-01-10T12:00:00Z');
  expect(await days()).toEqual(
    ['03', '04', '05', '06', '07', '08', '09'].map((day) => `2030-01-${day}.jsonl`),
  );
});
