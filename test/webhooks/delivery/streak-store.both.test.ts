import { beforeAll, describe, expect, test } from '@jest/globals';
import { CIRCUIT_FAILURES, StreakStore } from '../../../functions/webhooks/delivery/host-health.ts';
import { createTable } from '../../engines/conformance/index.ts';
import { dynamo } from '../../tested-clients.ts';

const START = Date.parse('2030-01-01T00:00:00Z');
const at = (second: number) => new Date(START + second * 1000);
const HOST = 'receiver.example';

let streaks: StreakStore;
beforeAll(async () => {
  streaks = new StreakStore(dynamo, await createTable(dynamo, 'id'));
});

describe('a streak of failures', () => {
  test('begins with the first, and is read as it was written', async () => {
    const workspace = crypto.randomUUID();
    expect(await streaks.find(workspace, HOST)).toBeUndefined();
    const begun = await streaks.extend(workspace, HOST, at(0));
    expect(begun).toEqual({ failingSince: START, failures: 1, latest: [START] });
    expect(await streaks.find(workspace, HOST)).toEqual(begun);
  });

  test('counts all failures and remembers the latest ones, for the circuit', async () => {
    const workspace = crypto.randomUUID();
    const failures = CIRCUIT_FAILURES + 5;
    for (let second = 0; second < failures; second++) await streaks.extend(workspace, HOST, at(second));
    const { failingSince, ...streak } = (await streaks.find(workspace, HOST))!;
    const latest = Array.from({ length: CIRCUIT_FAILURES }, (_, i) => at(i + 5).getTime());
    expect([failingSince, streak]).toEqual([START, { failures, latest }]);
  });

  test('loses no simultaneous failure, and keeps no more than it needs', async () => {
    const workspace = crypto.randomUUID();
    await Promise.all(Array.from({ length: 40 }, (_, i) => streaks.extend(workspace, HOST, at(i))));
    const { failures, latest } = (await streaks.find(workspace, HOST))!;
    expect(failures).toBe(40);
    expect(latest).toHaveLength(CIRCUIT_FAILURES);
  });

  test('ends with a success, only for that workspace and host', async () => {
    const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
    for (const workspace of [one, other]) await streaks.extend(workspace, HOST, at(0));
    await streaks.extend(one, 'other.example', at(0));
    await streaks.end(one, HOST);
    expect(await streaks.find(one, HOST)).toBeUndefined();
    expect(await streaks.find(other, HOST)).toBeDefined();
    expect(await streaks.find(one, 'other.example')).toBeDefined();
    expect(await streaks.extend(one, HOST, at(9))).toMatchObject({
      failingSince: at(9).getTime(),
      failures: 1,
    });
  });
});
