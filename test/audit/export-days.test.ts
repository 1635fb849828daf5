import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { AuditEntry } from '../../functions/audit/audit-entry.ts';
import { AuditTrail } from '../../functions/audit/audit-trail.ts';
import { type ExportPorts, exportDays } from '../../functions/audit/export-days.ts';
import { ObjectRequests } from '../../functions/aws/object-upload/object-requests.ts';
import { ObjectUploads } from '../../functions/aws/object-upload/object-upload.ts';
import { createS3Client } from '../../functions/aws/s3.ts';
import { S3Server } from '../aws/object-upload/s3-server.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';

let server: S3Server;
let bucket: Pick<ExportPorts, 's3' | 'uploads' | 'bucket'>;
beforeEach(async () => {
  server = new S3Server();
  const endpoint = await server.listen();
  const role = { endpoint, region: 'us-east-1', credentials: { accessKeyId: 'a', secretAccessKey: 'b' } };
  bucket = {
    s3: createS3Client({ ...role, forcePathStyle: true }),
    uploads: new ObjectUploads(new ObjectRequests(role, { random: () => 0 }), { partBytes: 10_000 }),
    bucket: 'audit',
  };
});
afterEach(() => server.close());

const entryAt = (at: string): AuditEntry => ({
  ...{ at, action: 'update-key', target: { hash: 'h' }, fields: [], changes: [] },
  ...{ key_hash: 'k', session_hash: null, subject: null, request_id: at, status: null },
});

function aStage() {
  const logged: unknown[] = [];
  const world = new AwsWorld();
  const trail = new AuditTrail(world.startProcess().dynamo, new DeployedStage(world).name('Audit'));
  return {
    logged,
    trail,
    add: async (at: string) => trail.begin(entryAt(at), 'a1b2c3d4'),
    runAt: (now: string, list: ExportPorts['trail']['list'] = (...asked) => trail.list(...asked)) =>
      exportDays({
        ...bucket,
        trail: { list },
        now: () => new Date(now),
        tellUnreadable: () => undefined,
        log: { error: (message, fields) => void logged.push([message, fields]) },
      }),
  };
}

const days = () => [...server.objects.keys()].map((path) => path.slice('/audit/'.length, -'.jsonl'.length));
const entriesOf = (day: string): AuditEntry[] =>
  String(server.objects.get(`/audit/${day}.jsonl`))
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

/** Of a day, a second apart. */
const times = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse('2030-01-02') + index * 1000).toISOString(),
  );

test('a day is copied once it has ended an hour ago, with the outcomes of its changes, oldest first', async () => {
  const { trail, add, runAt } = aStage();
  await add('2030-01-01T23:59:59.999Z');
  const places = [await add('2030-01-02T00:00:00.000Z'), await add('2030-01-02T23:59:59.999Z')];
  await add('2030-01-03T00:00:00.000Z');
  await runAt('2030-01-03T00:59:59Z');
  expect(days()).not.toContain('2030-01-02');
  await trail.end(places[1]!, { status: 200, changes: [] });
  await runAt('2030-01-03T01:00:00Z');
  expect(entriesOf('2030-01-02').map(({ at, status }) => [at, status])).toEqual([
    ['2030-01-02T00:00:00.000Z', null],
    ['2030-01-02T23:59:59.999Z', 200],
  ]);
});

test('a day is copied whole, however many entries it has, and not again', async () => {
  const { add, runAt } = aStage();
  for (const at of times(250)) await add(at);
  await runAt('2030-01-03T01:00:00Z');
  expect(entriesOf('2030-01-02').map(({ at }) => at)).toEqual(times(250));
  await add('2030-01-02T12:00:00.000Z');
  await runAt('2030-01-03T02:00:00Z');
  expect(entriesOf('2030-01-02')).toHaveLength(250);
});

test('a day is passed on while it is read, so that none is too large for the memory of a function', async () => {
  const { trail, add, runAt } = aStage();
  for (const at of times(250)) await add(at);
  const partsSent: number[] = [];
  await runAt('2030-01-03T01:00:00Z', (...asked) => {
    if (asked[0].since.toISOString().startsWith('2030-01-02')) partsSent.push(server.called('part').length);
    return trail.list(...asked);
  });
  const [first, second = 0, third = 0] = partsSent;
  expect(first).toBe(0);
  expect(third).toBeGreaterThan(second);
});

test('a day whose copying ends between two pages is not there, and is copied whole by the next run', async () => {
  const { trail, add, runAt } = aStage();
  for (const at of times(250)) await add(at);
  const failing = runAt('2030-01-03T01:00:00Z', (...asked) =>
    asked[0].cursor === undefined ? trail.list(...asked) : Promise.reject(new Error('throttled')),
  );
  await expect(failing).rejects.toThrow();
  expect(days()).not.toContain('2030-01-02');
  expect(server.uploads.size).toBe(0);
  await runAt('2030-01-03T02:00:00Z');
  expect(entriesOf('2030-01-02')).toHaveLength(250);
});

test('a day that cannot be copied holds up no other, and the run fails', async () => {
  const { logged, trail, runAt } = aStage();
  const failing = runAt('2030-01-10T12:00:00Z', (...asked) =>
    asked[0].since.toISOString().startsWith('2030-01-05')
      ? Promise.reject(new Error('throttled'))
      : trail.list(...asked),
  );
  await expect(failing).rejects.toThrow('not copied for 2030-01-05');
  expect(logged).toEqual([['day not copied', { day: '2030-01-05', error: new Error('throttled') }]]);
  expect(days().map((day) => day.slice(-2))).toEqual(['09', '08', '07', '06', '04', '03']);
});

test('days that runs have missed are copied later, for a week, the latest first', async () => {
  const { runAt } = aStage();
  await runAt('2030-01-10T12:00:00Z');
  expect(days().map((day) => day.slice(-2))).toEqual(['09', '08', '07', '06', '05', '04', '03']);
});
