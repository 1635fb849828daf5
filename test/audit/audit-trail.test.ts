import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { type AuditEntry, auditQuery } from '../../functions/audit/audit-entry.ts';
import { AuditTrail, namesOfFields } from '../../functions/audit/audit-trail.ts';
import { noteChange } from '../../functions/audit/changed-fields.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';

const anEntry = (minute: number): AuditEntry => ({
  at: `2030-01-01T00:0${minute}:00.000Z`,
  action: 'update-key',
  target: { hash: 'h' },
  fields: ['name'],
  changes: [],
  key_hash: 'k',
  session_hash: null,
  subject: null,
  request_id: `r${minute}`,
  status: null,
});

const CHANGES = [{ field: 'disabled', from: 'false', to: 'true' }];

test('entries are listed newest first, with their outcomes, in pages and from a start time', async () => {
  const world = new AwsWorld();
  const trail = new AuditTrail(world.startProcess().dynamo, new DeployedStage(world).name('Audit'));
  const entries = [1, 2, 3].map(anEntry);
  const places = [];
  for (const entry of entries) places.push(await trail.begin(entry, 'a1b2c3d4'));
  await trail.end(places[1]!, { status: 200, changes: CHANGES });
  const list = (since: string, limit: number, cursor?: string) =>
    trail.list({ since: new Date(since), limit, cursor }, () => undefined);

  const first = await list('2030-01-01T00:00:00Z', 2);
  expect(first.entries).toEqual([anEntry(3), { ...anEntry(2), status: 200, changes: CHANGES }]);
  expect(v.is(auditQuery.cursor, first.cursor)).toBe(true);
  const second = await list('2030-01-01T00:00:00Z', 2, first.cursor!);
  expect(second).toEqual({ entries: [anEntry(1)], cursor: null });
  expect((await list('2030-01-01T00:03:00Z', 9)).entries).toEqual([anEntry(3)]);
  expect((await list('2030-01-01T00:03:00.001Z', 9)).entries).toEqual([]);
  // The cursor is older than the requested start, so nothing is left.
  const nothing = { entries: [], cursor: null };
  expect(await list('2030-01-01T00:03:00Z', 9, first.cursor!)).toEqual(nothing);
  expect(await list('2030-01-01T00:03:00Z', 9, '0000-000000000000000000Z~0')).toEqual(nothing);
  expect(await list('2030-01-01T00:02:00Z', 9, first.cursor!)).toEqual(nothing);
});

test('entries of one action are listed in pages, however many others lie between', async () => {
  const world = new AwsWorld();
  const trail = new AuditTrail(world.startProcess().dynamo, new DeployedStage(world).name('Audit'));
  const created = [1, 3, 5].map((minute) => ({ ...anEntry(minute), action: 'create-key' }));
  for (const entry of [...created, anEntry(2), anEntry(4), anEntry(6)]) await trail.begin(entry, 'a1b2c3d4');
  const list = (cursor?: string) =>
    trail.list({ since: new Date('2030-01-01'), action: 'create-key', limit: 2, cursor }, () => undefined);
  const first = await list();
  expect(first.entries).toEqual([created[2], created[1]]);
  expect(v.is(auditQuery.cursor, first.cursor)).toBe(true);
  expect(await list(first.cursor!)).toEqual({ entries: [created[0]], cursor: null });
});

test('two changes in the same millisecond with the same caller-chosen id have separate entries', async () => {
  const world = new AwsWorld();
  const trail = new AuditTrail(world.startProcess().dynamo, new DeployedStage(world).name('Audit'));
  const request_id = '~'.repeat(128);
  const changes = [anEntry(1), { ...anEntry(1), action: 'delete-key' }];
  const entries = changes.map((change) => ({ ...change, request_id }));
  const places = [await trail.begin(entries[0]!, '00000001'), await trail.begin(entries[1]!, '00000002')];
  await trail.end(places[0]!, { status: 200, changes: CHANGES });
  const since = new Date('2030-01-01');
  const page = await trail.list({ since, limit: 1 }, () => undefined);
  expect(page.entries).toEqual([entries[1]]);
  expect(v.is(auditQuery.cursor, page.cursor)).toBe(true);
  const rest = await trail.list({ since, limit: 2, cursor: page.cursor! }, () => undefined);
  expect(rest.entries).toEqual([{ ...entries[0], status: 200, changes: CHANGES }]);
});

test.each([
  ['{"name":"a","limit":1}', ['name', 'limit']],
  ['', []],
  ['[1]', []],
  ['{"a":', []],
])('only the names of the fields of the body %j are recorded', (body, names) => {
  expect(namesOfFields(Buffer.from(body))).toEqual(names);
});

test.each([
  ['half a character', '{"\\ud83e":1}', '\ufffd'],
  [
    'a character that the cut would split',
    JSON.stringify({ [`${'x'.repeat(63)}🦊`]: 1 }),
    `${'x'.repeat(63)}\ufffd`,
  ],
])('a name of %s is cut to what a table row can hold', (_, body, name) => {
  expect(namesOfFields(Buffer.from(body))).toEqual([name]);
});

test('very many or very long names are cut', () => {
  const many = Array.from({ length: 60 }, (_, i) => [`x${i}${'x'.repeat(99)}`, 1]);
  const kept = namesOfFields(Buffer.from(JSON.stringify(Object.fromEntries(many))));
  expect([kept.length, Math.max(...kept.map((name) => name.length))]).toEqual([50, 64]);
});

test('an entry is kept for 400 days', async () => {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const TableName = new DeployedStage(world).name('Audit');
  const place = await new AuditTrail(dynamo, TableName).begin(anEntry(1), 'a1b2c3d4');
  const { Item } = await dynamo.send(new GetCommand({ TableName, Key: { trail: 'trail', place } }));
  const days = (Number(Item?.expires_at) - Date.parse(anEntry(1).at) / 1000) / 86_400;
  expect(days).toBe(400);
});

test('what the trail has cannot be written anew, and a change ends once', async () => {
  const world = new AwsWorld();
  const trail = new AuditTrail(world.startProcess().dynamo, new DeployedStage(world).name('Audit'));
  const place = await trail.begin(anEntry(1), 'a1b2c3d4');
  await trail.end(place, { status: 403, changes: [] });
  const forged = trail.begin({ ...anEntry(1), key_hash: 'another' }, 'a1b2c3d4');
  await expect(forged).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  const other = trail.end(place, { status: 200, changes: CHANGES });
  await expect(other).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' });
  const { entries } = await trail.list({ since: new Date('2030-01-01'), limit: 9 }, () => undefined);
  expect(entries).toEqual([{ ...anEntry(1), status: 403 }]);
});

test('an entry that cannot be read is told by its place', async () => {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const TableName = new DeployedStage(world).name('Audit');
  const place = `${anEntry(1).at}~r1~a1b2c3d4`;
  await dynamo.send(new PutCommand({ TableName, Item: { at: anEntry(1).at, trail: 'trail', place } }));
  const told: unknown[] = [];
  const since = new Date('2030-01-01');
  await new AuditTrail(dynamo, TableName).list({ since, limit: 9 }, (id) => void told.push(id));
  expect(told).toEqual([place]);
});

test('an entry of an older version has its outcome itself', async () => {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const TableName = new DeployedStage(world).name('Audit');
  const { changes: _, ...older } = { ...anEntry(1), status: 201 };
  const place = `${older.at}~r1~a1b2c3d4`;
  await dynamo.send(new PutCommand({ TableName, Item: { ...older, trail: 'trail', place } }));
  const page = await new AuditTrail(dynamo, TableName).list(
    { since: new Date('2030-01-01'), limit: 9 },
    () => undefined,
  );
  expect(page.entries).toEqual([{ ...anEntry(1), status: 201 }]);
});

test('only named settings are noted, those that have changed, and no key in them', () => {
  const call = { changes: [] };
  const before = { limit: 5, disabled: false, name: 'Old' };
  const after = { limit: null, disabled: false, name: 'New', scope: [`sk-gw-v1-${'a'.repeat(40)}`] };
  noteChange(call, ['limit', 'disabled', 'scope'], before, after);
  expect(call.changes).toEqual([
    { field: 'limit', from: '5', to: 'null' },
    { field: 'scope', from: null, to: '["sk-gw-v1-…"]' },
  ]);
});
