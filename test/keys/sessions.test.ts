import { randomBytes } from 'node:crypto';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { hashKey } from '../../functions/keys/key-format.ts';
import { SessionStore } from '../../functions/keys/session-store.ts';
import { issueSession, renewSession } from '../../functions/keys/sessions.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';

const NOW = new Date('2030-01-01T00:00:00Z');
const later = (minutes: number, milliseconds = 0) =>
  new Date(NOW.getTime() + minutes * 60_000 + milliseconds);

let sessions: SessionStore;
let rows: () => Promise<unknown>;
beforeEach(() => {
  const world = new AwsWorld();
  const table = new DeployedStage(world).name('Sessions');
  const { dynamo } = world.startProcess();
  sessions = new SessionStore(dynamo, table);
  rows = async () => (await dynamo.send(new ScanCommand({ TableName: table }))).Items;
});

async function begun(endsAt: string | null = null) {
  const { token, stored } = issueSession({ keyHash: 'k', endsAt }, NOW, randomBytes);
  await sessions.insert(stored);
  return { token, stored, principal: { session: { hash: stored.hash, endsAt: stored.ends_at } } };
}
const isFound = async (hash: string, at: Date) => (await sessions.find(hash, at)) !== undefined;

test('a session is found by the hash of its token for 15 minutes, and the token is stored nowhere', async () => {
  const { token, stored } = await begun();
  expect(stored.hash).toBe(hashKey(token));
  expect(await sessions.find(stored.hash, later(15, -1))).toEqual(stored);
  expect(await isFound(stored.hash, later(15))).toBe(false);
  expect(JSON.stringify(await rows())).not.toContain(token.slice(10));
});

test('the table forgets a session after its end', async () => {
  await begun();
  expect(await rows()).toEqual([expect.objectContaining({ expires_at: later(12 * 60).getTime() / 1000 })]);
});

describe('a renewal', () => {
  test('lets the session last for 15 minutes more', async () => {
    const { stored, principal } = await begun();
    expect(await renewSession(principal, sessions, later(10))).toEqual({
      hash: stored.hash,
      expires_at: later(25).toISOString(),
      ends_at: later(12 * 60).toISOString(),
    });
    expect(await isFound(stored.hash, later(25, -1))).toBe(true);
    expect(await isFound(stored.hash, later(25))).toBe(false);
  });

  test('never lasts beyond 12 hours, however often it is renewed', async () => {
    const { stored, principal } = await begun();
    for (let at = 10; at < 12 * 60; at += 10) await renewSession(principal, sessions, later(at));
    expect(await isFound(stored.hash, later(12 * 60, -1))).toBe(true);
    expect(await isFound(stored.hash, later(12 * 60))).toBe(false);
  });

  test.each([
    ['has expired', async () => later(15)],
    [
      'somebody has ended',
      async (hash: string) => {
        await sessions.remove(hash);
        return later(1);
      },
    ],
  ])('does not bring back a session that %s', async (_, end) => {
    const { stored, principal } = await begun();
    const at = await end(stored.hash);
    await expect(renewSession(principal, sessions, at)).rejects.toThrow('Invalid API key');
    expect(await isFound(stored.hash, at)).toBe(false);
  });

  test('needs a session', async () => {
    await expect(renewSession({}, sessions, NOW)).rejects.toThrow('needs a session token');
  });
});

test('a session ends with its key, in whatever way the end is written', async () => {
  const { stored } = await begun('2030-01-01T00:05:00Z');
  expect(stored).toMatchObject({ valid_until: later(5).toISOString(), ends_at: later(5).toISOString() });
});

test('a session cannot begin another', async () => {
  const { principal } = await begun();
  const another = () => issueSession({ keyHash: 'k', endsAt: null, ...principal }, NOW, randomBytes);
  expect(another).toThrow('A session cannot create another session; send a key');
});

test('a nonce is used up once, and no token finds it', async () => {
  expect(await sessions.useUp('n', later(1))).toBe(true);
  expect(await sessions.useUp('n', later(1))).toBe(false);
  expect(await sessions.useUp('m', later(1))).toBe(true);
});

test('a session of a person has the person and what they may do', async () => {
  const person = { subject: 'ada', scope: { workspaces: ['w'], operations: null, networks: null } };
  const { stored } = issueSession({ keyHash: 'k', endsAt: null, person }, NOW, randomBytes);
  await sessions.insert(stored);
  expect(await sessions.find(stored.hash, NOW)).toMatchObject(person);
});
