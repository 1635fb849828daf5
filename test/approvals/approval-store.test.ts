import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Approval, newApproval } from '../../functions/approvals/approval.ts';
import { ApprovalStore } from '../../functions/approvals/approval-store.ts';
import { transact } from '../../functions/aws/dynamo-writes.ts';
import { UNLIMITED } from '../../functions/http/scope.ts';
import { beginKey } from '../../functions/keys/create-key.ts';
import type { StoredKey } from '../../functions/keys/key-store.ts';
import { emptyAccount, keyAccount } from '../../functions/money/account.ts';
import { faultsOf, noFaults } from '../engines/index.ts';
import { NOW, startKeys, WORKSPACE } from '../keys/key-world.ts';
import { storedKey } from '../keys/stored-key.ts';

const HOUR = 3_600_000;
const later = (milliseconds: number): Date => new Date(NOW.getTime() + milliseconds);

let it: Awaited<ReturnType<typeof startKeys>>;
let store: ApprovalStore;
let asker: StoredKey;
beforeEach(async () => {
  it = await startKeys();
  store = new ApprovalStore(it.dynamo, it.tables.approvals);
  asker = await it.begun({ kind: 'management' });
});

let asked = 0;
function wanted() {
  const stored = storedKey({ kind: 'management', workspace_id: WORKSPACE.id });
  const change = { action: 'create-key', stored, account: emptyAccount(keyAccount(stored.hash)) } as const;
  const principal = { keyHash: asker.hash, kind: 'management', workspaceId: WORKSPACE.id } as const;
  const limits = { scope: UNLIMITED, endsAt: null, creator: '', rateLimits: {} };
  return { change, approval: newApproval(`apr_${asked++}`, { ...principal, ...limits }, change, NOW) };
}

async function waiting() {
  const { approval, change } = wanted();
  await store.insert(approval);
  const decision = (status: 'approved' | 'refused', now: Date) => ({
    approval: store.decision(approval.id, status, 'second', now),
  });
  return {
    approval,
    approve: (now = NOW) => {
      const also = { ...decision('approved', now), asker: it.stores.keys.keepAlive(asker.hash, now) };
      return beginKey(change, it.lives, also);
    },
    refuse: (now = NOW) => transact(it.dynamo, decision('refused', now)),
    status: async () => (await store.find(approval.id, NOW))?.status,
    isAlive: async () => (await it.stores.keys.find(change.stored.hash)) !== undefined,
  };
}

/** The names of those conditions that refused a transaction. */
const refusedNames = (write: Promise<unknown>): Promise<string[]> =>
  write.then(
    () => [],
    ({ refused }: { refused?: { name: string }[] }) => refused?.map(({ name }) => name) ?? ['failed'],
  );

describe('an approval', () => {
  test('can be decided until its end, and is gone from then on', async () => {
    const { approval, approve, refuse, isAlive } = await waiting();
    const listed = async (now: Date): Promise<Approval[]> =>
      (await store.list({ limit: 20, now }, () => undefined)).approvals;
    expect(await store.find(approval.id, later(24 * HOUR - 1))).toEqual(approval);
    expect(await listed(later(24 * HOUR - 1))).toEqual([approval]);
    expect(await store.find(approval.id, later(24 * HOUR))).toBeUndefined();
    expect(await listed(later(24 * HOUR))).toEqual([]);
    // Whoever has found it just before its end is too late too.
    expect(await refusedNames(approve(later(24 * HOUR)))).toEqual(['approval']);
    expect(await refusedNames(refuse(later(24 * HOUR)))).toEqual(['approval']);
    expect(await isAlive()).toBe(false);
    expect(await refusedNames(approve(later(24 * HOUR - 1)))).toEqual([]);
    expect(await isAlive()).toBe(true);
  });

  test('is one of at most a hundred that one line asks for in a day', async () => {
    const { approval } = wanted();
    const insert = (more: Partial<Approval>) =>
      store.insert({ ...approval, id: `apr_many_${asked++}`, ...more });
    for (let i = 0; i < 100; i++) await insert({});
    await expect(insert({})).rejects.toThrow('100 changes in 24 hours');
    await insert({ line: 'another' });
    await insert({ asked_at: approval.ends_at });
  });

  test('is there once although its answer was lost', async () => {
    it.world.faults = ({ nth }) => (nth === 1 ? 'answer lost' : undefined);
    const { approval } = wanted();
    await store.insert(approval);
    it.world.faults = noFaults;
    expect(await store.find(approval.id, NOW)).toEqual(approval);
  });

  test.each([
    ['deleted', async () => void (await it.lives.end(asker.hash))],
    ['disabled', () => it.lives.change(asker.hash, { disabled: true }, NOW)],
    ['at its end', () => it.lives.change(asker.hash, { expires_at: NOW.toISOString() }, NOW)],
  ])('comes to nothing once the key that asked is %s', async (_, end) => {
    const { approve, refuse, status, isAlive } = await waiting();
    await end();
    expect(await refusedNames(approve())).toEqual(['asker']);
    expect([await status(), await isAlive()]).toEqual(['pending', false]);
    await refuse();
    expect(await status()).toBe('refused');
  });

  test('is decided once, by whichever of many decisions at once', async () => {
    const { approve, refuse, status, isAlive } = await waiting();
    const outcomes = await Promise.all([approve(), refuse(), approve(), refuse()].map(refusedNames));
    expect(outcomes.filter(({ length }) => length === 0)).toHaveLength(1);
    expect(await isAlive()).toBe((await status()) === 'approved');
  });
});

describe.each(['approve', 'refuse'] as const)('whatever fails while one is to %s it', (decide) => {
  test.each(['error', 'answer lost', 'throttled', 'conflict'] as const)('by %s', async (fault) => {
    for (const isLasting of [false, true]) {
      for (let at = 1, wasHit = true; wasHit; at++) {
        const one = await waiting();
        let seen = 0;
        wasHit = false;
        it.world.faults = (call) => {
          const isHit = faultsOf(call).includes(fault) && ++seen >= at && (isLasting || seen === at);
          wasHit ||= isHit;
          return isHit ? fault : undefined;
        };
        const [failed] = await refusedNames(one[decide]());
        it.world.faults = noFaults;
        // The decision and the key are both there, or neither; and a decision that has come through is there.
        const status = await one.status();
        expect(await one.isAlive()).toBe(status === 'approved');
        if (failed === undefined) expect(status).not.toBe('pending');
        // Where it is still pending it can be decided as before.
        if (status === 'pending') expect(await refusedNames(one[decide]())).toEqual([]);
        else expect(await refusedNames(one.approve())).toContain('approval');
      }
    }
  });
});
