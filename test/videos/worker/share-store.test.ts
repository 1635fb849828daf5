import { describe, expect, test } from '@jest/globals';
import { ShareStore } from '../../../functions/videos/worker/share-store.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld, type Call, noFaults } from '../../engines/index.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const LAPSE = NOW.getTime() + 60_000;
const ONE = { id: 'copies of one', size: 2 };
const ALL = { id: 'copies from all', size: 3 };

const world = new AwsWorld({ start: NOW });
const stage = new DeployedStage(world);
let processes = 0;

function newShares() {
  const { dynamo } = world.startProcess(`worker ${processes++}`);
  const store = new ShareStore(dynamo, stage.name('Videos-Shares'));
  const test = crypto.randomUUID();
  const named = (shares: readonly (typeof ONE)[]) =>
    shares.map(({ id, size }) => ({ id: `${id} ${test}`, size }));
  const enter = (jobId: string, shares = [ONE], now = NOW, lapsesAt = LAPSE) =>
    store.enter(named(shares), { jobId, lapsesAt }, now);
  const leave = (jobId: string, shares = [ONE]) => store.leave(named(shares), { jobId, lapsesAt: LAPSE });
  return { enter, leave };
}

describe('a share', () => {
  test('has room for as many as it is large, however many ask at once', async () => {
    const { enter } = newShares();
    const asked = await Promise.all(Array.from({ length: 10 }, (_, i) => enter(`job-${i}`)));
    expect(asked.filter((hasRoom) => hasRoom)).toHaveLength(2);
  });

  test('has room again when one of them leaves, however often that one says so', async () => {
    const { enter, leave } = newShares();
    for (const job of ['a', 'b']) await enter(job);
    await leave('a');
    await leave('a');
    expect([await enter('c'), await enter('d')]).toEqual([true, false]);
  });

  test('takes the same occupant once: a write whose answer was lost is repeated', async () => {
    const { enter } = newShares();
    for (const job of ['a', 'b']) await enter(job);
    expect([await enter('b'), await enter('c')]).toEqual([true, false]);
  });

  test('takes back the room of workers that crashed, and not a millisecond early', async () => {
    const { enter } = newShares();
    for (const job of ['a', 'b']) await enter(job);
    expect(await enter('c', [ONE], new Date(LAPSE))).toBe(false);
    expect(await enter('c', [ONE], new Date(LAPSE + 1), LAPSE + 60_000)).toBe(true);
  });

  test('knows whom it took in place of a worker that crashed, although the answer was lost', async () => {
    const { enter } = newShares();
    const small = { ...ONE, size: 1 };
    await enter('a', [small]);
    let writes = 0;
    world.faults = ({ operation }: Call) =>
      operation === 'UpdateItem' && ++writes === 3 ? 'answer lost' : undefined;
    expect(await enter('b', [small], new Date(LAPSE + 1), LAPSE + 60_000)).toBe(true);
    world.faults = noFaults;
  });

  test('is not occupied by whoever finds no room in another one', async () => {
    const { enter } = newShares();
    const other = { id: 'copies of other', size: 5 };
    for (const job of ['a', 'b', 'c']) await enter(job, [ALL]);
    expect(await enter('d', [ONE, ALL])).toBe(false);
    expect(await enter('d', [other, ALL])).toBe(false);
    for (const job of ['e', 'f']) expect(await enter(job)).toBe(true);
  });
});
