import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { type Audit, CursorStore, type Row } from '../../functions/reconciling/audit.ts';
import { reconcile } from '../../functions/reconciling/reconcile.ts';
import { createTable } from '../engines/conformance/index.ts';
import { AwsWorld } from '../engines/index.ts';

const MINUTE = 60_000;

/** A table in which a row is wrong if it says so, and its reconciler. */
async function start(ids: readonly string[]) {
  const world = new AwsWorld();
  const { dynamo } = world.startProcess();
  const table = await createTable(dynamo, 'id');
  const put = (id: string, problem: string) =>
    dynamo.send(new PutCommand({ TableName: table, Item: { id, problem } }));
  for (const id of ids) await put(id, 'wrong');
  const begun: number[] = [];
  const seen: string[] = [];
  const audit: Audit = {
    name: 'rows',
    table,
    key: 'id',
    begin: async () => void begun.push(world.clock.now().getTime()),
    look: async (rows: readonly Row[]) => {
      seen.push(...rows.map(({ id }) => String(id)));
      return rows.flatMap(({ id, problem }) =>
        problem === 'none'
          ? []
          : [{ id: String(id), problem: String(problem), facts: {}, isUnproven: problem === 'unproven' }],
      );
    },
  };
  const told: unknown[] = [];
  const warned: unknown[] = [];
  const log = {
    info: () => undefined,
    warn: (...said: unknown[]) => void warned.push(said),
    error: (_: string, fields?: object) => void told.push(fields),
  };
  const cursors = new CursorStore(dynamo, await createTable(dynamo, 'account'));
  const counts: number[] = [];
  const run = async (pause: () => Promise<unknown> = async () => undefined) => {
    const waits = async (milliseconds: number) => {
      await world.clock.wait(milliseconds);
      await pause();
    };
    const countContradictions = (count: number) => void counts.push(count);
    const { now } = world.clock;
    await reconcile([audit], { client: dynamo, cursors, now, pause: waits, countContradictions, log });
  };
  return { put, run, begun, seen, told, warned, counts };
}

describe('a contradiction', () => {
  test('is what two looks have found, a minute apart', async () => {
    const { run, begun, told, counts } = await start(['r1']);
    await run();
    expect(counts).toEqual([1]);
    expect(told).toEqual([{ audit: 'rows', row_id: 'r1', problem: 'wrong', outcome: 'reported' }]);
    expect(begun).toHaveLength(2);
    expect(begun[1]! - begun[0]!).toBeGreaterThanOrEqual(MINUTE);
  });

  test.each(['none', 'another'])('is not what the second look finds otherwise: %s', async (later) => {
    const { put, run, told, counts } = await start(['r1']);
    await run(() => put('r1', later));
    expect([counts, told]).toEqual([[0], []]);
  });
});

test('what nothing proves is told, and raises no alarm', async () => {
  const { put, run, told, warned, counts } = await start([]);
  await put('r1', 'unproven');
  await run();
  expect([counts, told]).toEqual([[0], []]);
  expect(warned).toEqual([
    ['contradiction', { audit: 'rows', row_id: 'r1', problem: 'unproven', outcome: 'reported' }],
  ]);
});

test('a run that has found enough stops, and the next one goes on behind it', async () => {
  const ids = Array.from({ length: 450 }, (_, i) => `r${i}`);
  const { run, seen, counts } = await start(ids);
  await run();
  expect(counts).toEqual([300]);
  await run();
  expect(counts).toEqual([300, 150]);
  expect(new Set(seen)).toEqual(new Set(ids));
});
