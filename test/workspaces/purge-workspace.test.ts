import { beforeEach, expect, test } from '@jest/globals';
import {
  purgeWorkspaces,
  REST_MILLISECONDS,
  SECOND_LOOK_MILLISECONDS,
} from '../../functions/workspaces/remove-workspace.ts';
import { AwsWorld } from '../engines/index.ts';
import { WorkspaceWorld } from './workspace-world.ts';

let it: WorkspaceWorld;
let id: string;
beforeEach(async () => {
  it = await WorkspaceWorld.create(new AwsWorld().startProcess());
  ({ id } = await it.newWorkspace());
  await it.furnish(id);
  await it.remove(id);
});

const isRemembered = async () => (await it.removals()).length === 1;

test('what a deleted workspace held is kept for an hour, because uploads may still end', async () => {
  const held = await it.holdings(id);
  it.now = new Date(it.now.getTime() + REST_MILLISECONDS - 1);
  await it.sweep();
  expect([await it.holdings(id), await isRemembered()]).toEqual([held, true]);
  it.now = new Date(it.now.getTime() + 1);
  await it.sweep();
  expect(await it.holdings(id)).toEqual([]);
});

test('what was under way when all was gone is found ten minutes later, and only then is the workspace forgotten', async () => {
  it.now = new Date(it.now.getTime() + REST_MILLISECONDS);
  await it.sweep();
  await it.furnish(id);
  const late = await it.holdings(id);
  it.now = new Date(it.now.getTime() + SECOND_LOOK_MILLISECONDS - 1);
  await it.sweep();
  expect([await it.holdings(id), await isRemembered()]).toEqual([late, true]);
  it.now = new Date(it.now.getTime() + 1);
  await it.sweep();
  expect([await it.holdings(id), await isRemembered()]).toEqual([[], false]);
});

test('a purge that runs out of time leaves the rest to the next one', async () => {
  it.now = new Date(it.now.getTime() + REST_MILLISECONDS);
  const before = await it.holdings(id);
  await it.sweep(undefined, 0);
  const left = await it.holdings(id);
  expect(left.length).toBeGreaterThan(0);
  expect(left.length).toBeLessThan(before.length);
  expect(await isRemembered()).toBe(true);
});

/** Jobs that are stripped one by one. A run asks for those behind the last one that is done. */
function jobsThatAre(...left: ('more' | 'open' | 'none')[]) {
  const asked: (string | undefined)[] = [];
  const stripSome = async (_: string, after: string | undefined, endedBefore: Date) => {
    expect(endedBefore.getTime()).toBe(it.now.getTime() - REST_MILLISECONDS);
    asked.push(after);
    const next = left.shift() ?? 'none';
    return { last: next === 'open' ? undefined : `vid_${asked.length}`, left: next };
  };
  it.jobs = { stripSome };
  return asked;
}

test('a job that still runs is waited for, with all that its workspace holds', async () => {
  it.now = new Date(it.now.getTime() + REST_MILLISECONDS);
  const held = (await it.holdings(id)).length;
  const asked = jobsThatAre('more', 'open', 'none');
  await it.sweep();
  expect([(await it.holdings(id)).length, await isRemembered()]).toEqual([held, true]);
  await it.sweep();
  expect(await it.holdings(id)).toEqual([]);
  expect(asked).toEqual([undefined, 'vid_1', 'vid_1']);
});

test('a run goes on at the job at which the previous one has stopped', async () => {
  it.now = new Date(it.now.getTime() + REST_MILLISECONDS);
  const asked = jobsThatAre('more', 'more', 'none');
  for (let run = 1; run <= 3; run++) await it.sweep(undefined, 0);
  expect(asked).toEqual([undefined, 'vid_1', 'vid_2']);
});

test('a workspace whose purge takes all the time of a run keeps another one waiting for a minute only', async () => {
  const { id: other } = await it.newWorkspace();
  await it.remove(other);
  it.now = new Date(it.now.getTime() + REST_MILLISECONDS);
  const asked: string[] = [];
  const stripSome = async (workspaceId: string) => {
    asked.push(workspaceId);
    it.now = new Date(it.now.getTime() + 60_000);
    return { last: undefined, left: 'more' as const };
  };
  const log = { info: () => undefined, error: () => undefined };
  const ports = {
    ...it.stores,
    jobs: { stripSome },
    holdings: [],
    now: () => it.now,
    tellUnreadable: () => undefined,
    log,
  };
  for (let run = 0; run < 2; run++) await purgeWorkspaces(new Date(it.now.getTime() + 30_000), ports);
  expect(asked.toSorted()).toEqual([id, other].toSorted());
});
