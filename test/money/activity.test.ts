import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { AccountStore } from '../../functions/money/account-store.ts';
import { type Activity, activityUpdate, dayOfUsers } from '../../functions/money/activity.ts';
import { ActivityList, reportAnswer } from '../../functions/money/activity-list.ts';
import { dayOf, latestDays, reportActivity } from '../../functions/money/activity-report.ts';
import { micros } from '../../functions/money/micros.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';

const anEnd = (change: Partial<Activity> = {}): Activity => ({
  day: '2030-01-02',
  workspace_id: 'w1',
  key_hash: 'k1',
  model: 'sandbox/clip-1',
  provider: 'sandbox',
  jobs: 1,
  completed: 1,
  seconds: 4,
  micros: micros(40_000),
  byok_micros: micros(0),
  ...change,
});

test('jobs that end on a day are counted by key and model, and listed by day', async () => {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const table = new DeployedStage(world).name('Accounts');
  const store = new AccountStore(dynamo, table);
  const failed = anEnd({ completed: 0, seconds: 0, micros: micros(0) });
  for (const end of [anEnd(), anEnd(), failed, anEnd({ key_hash: 'k2' }), anEnd({ day: '2030-01-01' })]) {
    await dynamo.send(new TransactWriteCommand({ TransactItems: [store.count(end)] }));
  }
  const listed = await new ActivityList(dynamo, table, () => undefined).of(['2030-01-02']);
  expect(listed).toEqual([
    anEnd({ jobs: 3, completed: 2, seconds: 8, micros: micros(80_000) }),
    anEnd({ key_hash: 'k2' }),
  ]);
  expect(await new ActivityList(dynamo, table, () => undefined).of(['2029-12-31'])).toEqual([]);
});

test('days with more rows than there is memory for are refused, and no more of them is read', async () => {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const table = new DeployedStage(world).name('Accounts');
  const store = new AccountStore(dynamo, table);
  for (const day of ['2030-01-01', '2030-01-02']) {
    for (const user of ['u1', 'u2']) {
      const count = store.count(anEnd({ day: dayOfUsers(day), user }));
      await dynamo.send(new TransactWriteCommand({ TransactItems: [count] }));
    }
  }
  const list = new ActivityList(dynamo, table, () => undefined, 3);
  expect(await list.of([dayOfUsers('2030-01-01')])).toHaveLength(2);
  const both = list.of([dayOfUsers('2030-01-01'), dayOfUsers('2030-01-02')]);
  await expect(both).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/^The report covers too many rows/),
  });
});

test('a report that Lambda could not answer with is refused, whatever its characters take', () => {
  const lines = (user: string) => Array.from({ length: 8_000 }, () => ({ user: user.repeat(256) }));
  expect(reportAnswer(lines('x')).status).toBe(200);
  expect(() => reportAnswer(lines('"'))).toThrow(expect.objectContaining({ status: 400 }));
  expect(() => reportAnswer(lines('🦊'))).toThrow(expect.objectContaining({ status: 400 }));
});

test('a row counts the jobs of one day, workspace, key, model and provider', () => {
  expect(activityUpdate(anEnd()).Key).toEqual({
    account: 'activity#2030-01-02#w1#k1#sandbox/clip-1#sandbox',
  });
});

test('a user’s jobs have rows of their own, which a report by user reads', () => {
  const row = anEnd({ day: dayOfUsers('2030-01-02'), user: 'a#b' });
  expect(activityUpdate(row).Key).toEqual({
    account: 'activity#2030-01-02#users#w1#k1#sandbox/clip-1#sandbox#a#b',
  });
  expect(reportActivity([row, row], 'user')).toMatchObject([
    { date: '2030-01-02', user: 'a#b', jobs: 2, completed: 2, seconds: 8, cost: 0.08 },
  ]);
});

describe('a report', () => {
  const rows = [
    anEnd({ day: '2030-01-01' }),
    anEnd(),
    anEnd({ key_hash: 'k2', micros: micros(50_000) }),
    anEnd({
      workspace_id: 'w2',
      model: 'google/veo',
      provider: 'gemini-veo',
      completed: 0,
      seconds: 0,
      micros: micros(0),
    }),
  ];
  test('has one line for each day, model and endpoint, the latest day first', () => {
    const pinned = anEnd({ endpoint: 'sandbox/other', micros: micros(20_000), byok_micros: micros(20_000) });
    expect(
      reportActivity([...rows, pinned], undefined).map(({ date, model, endpoint_id, ...line }) => [
        date,
        model,
        endpoint_id,
        line.jobs,
        line.cost,
        line.usage,
        line.byok_usage_inference,
      ]),
    ).toEqual([
      ['2030-01-02', 'sandbox/clip-1', 'sandbox/clip-1', 2, 0.09, 0.09, 0],
      ['2030-01-02', 'sandbox/clip-1', 'sandbox/other', 1, 0.02, 0, 0.02],
      ['2030-01-02', 'google/veo', 'google/veo', 1, 0, 0, 0],
      ['2030-01-01', 'sandbox/clip-1', 'sandbox/clip-1', 1, 0.04, 0.04, 0],
    ]);
  });

  test('says it in both words', () => {
    expect(reportActivity([anEnd()], 'key')).toEqual([
      {
        date: '2030-01-02',
        model: 'sandbox/clip-1',
        provider: 'sandbox',
        key_hash: 'k1',
        jobs: 1,
        completed: 1,
        seconds: 4,
        cost: 0.04,
        model_permaslug: 'sandbox/clip-1',
        endpoint_id: 'sandbox/clip-1',
        provider_name: 'sandbox',
        requests: 1,
        usage: 0.04,
        byok_usage_inference: 0,
        prompt_tokens: 0,
        completion_tokens: 0,
        reasoning_tokens: 0,
        cached_tokens: 0,
      },
    ]);
  });

  test.each([
    [
      'workspace',
      'workspace_id',
      [
        ['2030-01-02', 'w1', 0.09],
        ['2030-01-02', 'w2', 0],
        ['2030-01-01', 'w1', 0.04],
      ],
    ],
    [
      'key',
      'key_hash',
      [
        ['2030-01-02', 'k2', 0.05],
        ['2030-01-02', 'k1', 0.04],
        ['2030-01-02', 'k1', 0],
        ['2030-01-01', 'k1', 0.04],
      ],
    ],
    [
      'provider',
      'provider',
      [
        ['2030-01-02', 'sandbox', 0.09],
        ['2030-01-02', 'gemini-veo', 0],
        ['2030-01-01', 'sandbox', 0.04],
      ],
    ],
  ] as const)('by %s has a line for each, the most expensive first', (group, field, lines) => {
    const told = reportActivity(rows, group).map((line) => [line.date, Reflect.get(line, field), line.cost]);
    expect(told).toEqual(lines);
  });

  test('without jobs has no line', () => {
    expect(reportActivity([], 'model')).toEqual([]);
  });
});

test('the latest days are thirty, including today', () => {
  const days = latestDays(new Date('2030-03-01T23:59:59Z'));
  expect([days.length, days[0], days[1], days.at(-1)]).toEqual([
    30,
    '2030-03-01',
    '2030-02-28',
    '2030-01-31',
  ]);
  expect(dayOf(new Date('2030-01-01T00:00:00Z'))).toBe('2030-01-01');
});
