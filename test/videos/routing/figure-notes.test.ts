import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Job } from '../../../functions/videos/jobs/job.ts';
import { failures } from '../../../functions/videos/jobs/job-failure.ts';
import { FigureNotes } from '../../../functions/videos/routing/figure-notes.ts';
import { FigureStore, figureBook } from '../../../functions/videos/routing/figure-store.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../../engines/index.ts';
import { aJob, START } from '../jobs/job-fixture.ts';
import { anOffer } from './an-offer.ts';

let world: AwsWorld;
let store: FigureStore;
let notes: FigureNotes;
let warnings: string[];
const log = { warn: (message: string) => void warnings.push(message) };

beforeEach(() => {
  warnings = [];
  world = new AwsWorld({ start: START });
  const stage = new DeployedStage(world);
  store = new FigureStore(world.startProcess().dynamo, stage.name('Routing-Figures'));
  notes = new FigureNotes({ store, now: world.clock.now, random: world.random, log });
});

const offer = anOffer('fal', { id: 'sandbox/clip-1' });
const figures = async (workspaceId?: string) =>
  (await figureBook({ store, now: world.clock.now, log })())(offer, workspaceId);

function ended(change: Partial<Job> = {}): Job {
  const accepted = { at: world.clock.now().toISOString(), status: 'in_progress' as const };
  return aJob({ status: 'completed', history: [accepted], ...change });
}

const noteAll = async (jobs: readonly Job[]) => {
  await world.clock.wait(30_000);
  for (const job of jobs) notes.noteEnd(job);
  await notes.flush();
};

describe('the observations of pollers about an offer', () => {
  test('are then known to others', async () => {
    await noteAll(Array.from({ length: 6 }, () => ended()));
    await world.clock.wait(30_000);
    await noteAll([ended({ status: 'failed' }), ended({ status: 'expired' })]);
    expect(await figures()).toMatchObject({ latencySeconds: 30, throughput: 4 / 30 });
    expect((await figures()).successRate).toBeCloseTo(6 / 8, 1);
  });

  test('leave out jobs that were cancelled, or that never reached it', async () => {
    await noteAll([ended({ status: 'cancelled' }), ended({ status: 'failed', history: [] })]);
    expect(await figures()).toMatchObject({ samples: 0 });
  });

  test('tell whether its provider has called', async () => {
    await noteAll([ended(), ended({ calls_back: 'perhaps' })]);
    expect(await figures()).not.toHaveProperty('callsBack');
    await world.clock.wait(30_000);
    await noteAll([ended({ calls_back: 'perhaps', callbacks: 1 })]);
    expect(await figures()).toMatchObject({ callsBack: true });
  });

  test('of jobs that moderation refused tell that, and nothing where nobody was to call', async () => {
    const moderated = { status: 'failed', error_kind: failures.moderation } as const;
    await noteAll([ended(moderated), ended({ ...moderated, calls_back: 'reliably', callbacks: 1 })]);
    expect(await figures()).toEqual({ samples: 0, callsBack: true, restsUntil: 0 });
  });

  test('are kept only for the latest jobs', async () => {
    for (let i = 0; i < 20; i++) await noteAll(Array.from({ length: 20 }, () => ended()));
    const { samples } = await figures();
    expect(samples).toBeGreaterThan(32);
    expect(samples).toBeLessThanOrEqual(64);
  });

  test('are written at most once in ten seconds, and not if there are none', async () => {
    const writes = () => world.journal.calls.filter(({ operation }) => operation === 'UpdateItem').length;
    await notes.flush();
    expect(writes()).toBe(0);
    notes.noteEnd(ended());
    await notes.flush();
    notes.noteEnd(ended());
    await notes.flush();
    expect(writes()).toBe(1);
    await world.clock.wait(10_000);
    await notes.flush();
    expect(writes()).toBe(2);
  });

  test('say how long a provider’s circuit is open', async () => {
    notes.noteRest('fal', 15);
    await notes.flush();
    expect((await figures()).restsUntil).toBeGreaterThan(world.clock.now().getTime());
    await world.clock.wait(15_000);
    expect((await figures()).restsUntil).toBeLessThanOrEqual(world.clock.now().getTime());
  });

  describe('of a rest', () => {
    const isResting = async (workspaceId?: string) =>
      (await figures(workspaceId)).restsUntil > world.clock.now().getTime();
    const resting = () => Promise.all(['ws-1', 'ws-2', undefined].map(isResting));
    const otherPoller = () => new FigureNotes({ store, now: world.clock.now, random: world.random, log });

    test('name the workspace for which alone a provider rests, and others use and see it as before', async () => {
      notes.noteRest('fal', 60, 'ws-1');
      await notes.flush();
      expect(await resting()).toEqual([true, false, false]);
      await world.clock.wait(10_000);
      notes.noteRest('fal', 60);
      await notes.flush();
      expect(await resting()).toEqual([true, true, true]);
    });

    test.each([
      ['another poller', () => otherPoller()],
      ['the same poller', () => notes],
    ])('hold for all although the provider then rests for one workspace of %s', async (_, poller) => {
      const later = poller();
      notes.noteRest('fal', 60);
      if (later !== notes) await notes.flush();
      later.noteRest('fal', 15, 'ws-1');
      await later.flush();
      expect(await resting()).toEqual([true, true, true]);
      await world.clock.wait(15_000);
      expect(await resting()).toEqual([true, true, true]);
    });

    test('hold for one workspace for longer than for all', async () => {
      notes.noteRest('fal', 60, 'ws-1');
      await notes.flush();
      const other = otherPoller();
      other.noteRest('fal', 15);
      await other.flush();
      await world.clock.wait(15_000);
      expect(await resting()).toEqual([true, false, false]);
    });
  });

  describe('of a workspace that is deleted', () => {
    const removeAll = async (workspaceId: string) => {
      for await (const _ of store.removeAll(workspaceId));
    };
    const named = async () =>
      [...(await store.readAll()).values()].map(({ ownRest }) => ownRest?.workspace_id);

    test('are removed with it, and those of others stay', async () => {
      notes.noteRest('fal', 60, 'ws-1');
      notes.noteRest('runway', 60, 'ws-2');
      notes.noteRest('kling', 60);
      await notes.flush();
      await removeAll('ws-1');
      expect((await named()).toSorted()).toEqual(['ws-2', undefined, undefined]);
    });

    test('are not written once they are over', async () => {
      notes.noteRest('fal', 60, 'ws-1');
      await world.clock.wait(60_000);
      await notes.flush();
      expect(await named()).toEqual([]);
    });
  });

  test('do no harm if they cannot be written or read', async () => {
    world.faults = ({ operation }) => (operation === 'UpdateItem' ? 'error' : undefined);
    await noteAll([ended()]);
    expect(warnings).toEqual(['figures not written']);
    world.faults = ({ operation }) => (operation === 'Query' ? 'error' : undefined);
    expect(await figures()).toEqual({ samples: 0, restsUntil: 0 });
    expect(warnings).toEqual(['figures not written', 'figures not read']);
  });
});
