import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Approval, PendingChange } from '../../functions/approvals/approval.ts';
import type { NamedItems } from '../../functions/aws/dynamo-writes.ts';
import type { StoredKey } from '../../functions/keys/key-store.ts';
import { emptyAccount, keyAccount } from '../../functions/money/account.ts';
import { put } from '../../functions/videos/catalogue/stage-catalogue.ts';
import { waitBy } from '../aws/virtual-waits.ts';
import { AwsWorld, faultsOf, noFaults } from '../engines/index.ts';
import { anOffer } from '../videos/routing/an-offer.ts';

waitBy(new AwsWorld());
const { newApproval } = await import('../../functions/approvals/approval.ts');
const { ApprovalStore } = await import('../../functions/approvals/approval-store.ts');
const { transact } = await import('../../functions/aws/dynamo-writes.ts');
const { principalOf } = await import('../../functions/gate/authentication.ts');
const { beginKey } = await import('../../functions/keys/create-key.ts');
const { OfferStore } = await import('../../functions/videos/catalogue/offer-store.ts');
const { NOW, startKeys, WORKSPACE } = await import('../keys/key-world.ts');
const { storedKey } = await import('../keys/stored-key.ts');

const HOUR = 3_600_000;
const later = (milliseconds: number): Date => new Date(NOW.getTime() + milliseconds);

let it: Awaited<ReturnType<typeof startKeys>>;
let store: InstanceType<typeof ApprovalStore>;
let offers: InstanceType<typeof OfferStore>;
let asker: StoredKey;
beforeEach(async () => {
  it = await startKeys();
  waitBy(it.world);
  store = new ApprovalStore(it.dynamo, it.tables.approvals);
  offers = new OfferStore(it.dynamo, it.tables.offers);
  asker = await it.begun({ kind: 'management' });
});

const KINDS = ['a key', 'an endpoint'] as const;

/** What waits, how it is made, and whether it has been. */
function wanted(kind: (typeof KINDS)[number]) {
  if (kind === 'a key') {
    const stored = storedKey({ kind: 'management', workspace_id: WORKSPACE.id });
    const change = { action: 'create-key', stored, account: emptyAccount(keyAccount(stored.hash)) } as const;
    return {
      change,
      make: (also: NamedItems) => beginKey(change, it.lives, { also }),
      isMade: async () => (await it.stores.keys.find(stored.hash)) !== undefined,
    };
  }
  const offer = anOffer(`offer-${asked}`);
  const note = { action: 'put', offer: offer.id, by: asker.hash } as const;
  return {
    change: { action: 'put-endpoint', endpoint: offer.id, request: {}, seen: '' } as const,
    make: (also: NamedItems) => offers.change((changes) => put(changes, offer, false), note, NOW, also),
    isMade: async () => (await offers.read()).rows.some(({ id }) => id === offer.id),
  };
}

let asked = 0;
const newOne = (change: PendingChange): Approval =>
  newApproval(`apr_${asked++}`, principalOf(asker), change, NOW);

async function waiting(kind: (typeof KINDS)[number] = 'a key') {
  const { change, make, isMade } = wanted(kind);
  const approval = newOne(change);
  await store.insert(approval);
  const decision = (status: 'approved' | 'refused', now: Date) => ({
    approval: store.decision(approval.id, status, 'second', now),
  });
  return {
    approval,
    approve: (now = NOW) =>
      make({ ...decision('approved', now), asker: it.stores.keys.keepAlive(asker.hash, now) }),
    refuse: (now = NOW) => transact(it.dynamo, decision('refused', now)),
    status: async () => (await store.find(approval.id, NOW))?.status,
    isMade,
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
    const { approval, approve, refuse, isMade } = await waiting();
    const listed = async (now: Date): Promise<Approval[]> =>
      (await store.list({ limit: 20, now }, () => undefined)).approvals;
    expect(await store.find(approval.id, later(24 * HOUR - 1))).toEqual(approval);
    expect(await listed(later(24 * HOUR - 1))).toEqual([approval]);
    expect(await store.find(approval.id, later(24 * HOUR))).toBeUndefined();
    expect(await listed(later(24 * HOUR))).toEqual([]);
    // Whoever has found it just before its end is too late too.
    expect(await refusedNames(approve(later(24 * HOUR)))).toEqual(['approval']);
    expect(await refusedNames(refuse(later(24 * HOUR)))).toEqual(['approval']);
    expect(await isMade()).toBe(false);
    expect(await refusedNames(approve(later(24 * HOUR - 1)))).toEqual([]);
    expect(await isMade()).toBe(true);
  });

  test('is one of at most a hundred that one line asks for in a day', async () => {
    const approval = newOne(wanted('a key').change);
    const insert = (more: Partial<Approval>) =>
      store.insert({ ...approval, id: `apr_many_${asked++}`, ...more });
    for (let i = 0; i < 100; i++) await insert(i === 0 ? { ends_at: later(HOUR).toISOString() } : {});
    const headers = { 'retry-after': '3600' };
    await expect(insert({})).rejects.toMatchObject({
      message: expect.stringContaining('100 changes in 24 hours'),
      headers,
    });
    await insert({ line: 'another' });
    await insert({ asked_at: approval.ends_at });
  });

  test('is there once although its answer was lost', async () => {
    let calls = 0;
    it.world.faults = ({ operation }) =>
      operation === 'TransactWriteItems' && ++calls === 1 ? 'answer lost' : undefined;
    const approval = newOne(wanted('a key').change);
    await store.insert(approval);
    it.world.faults = noFaults;
    expect(calls).toBe(2);
    expect(await store.find(approval.id, NOW)).toEqual(approval);
  });

  test.each([
    ['deleted', async () => void (await it.lives.end(asker.hash))],
    ['disabled', () => it.lives.change(asker.hash, { disabled: true }, NOW)],
    ['at its end', () => it.lives.change(asker.hash, { expires_at: NOW.toISOString() }, NOW)],
  ])('comes to nothing once the key that asked is %s', async (_, end) => {
    const all = await Promise.all(KINDS.map(waiting));
    await end();
    for (const { approve, refuse, status, isMade } of all) {
      expect(await refusedNames(approve())).toEqual(['asker']);
      expect([await status(), await isMade()]).toEqual(['pending', false]);
      await refuse();
      expect(await status()).toBe('refused');
    }
  });

  test.each(KINDS)('of %s is decided once, by whichever of many decisions at once', async (kind) => {
    const { approve, refuse, status, isMade } = await waiting(kind);
    const outcomes = await Promise.all([approve(), refuse(), approve(), refuse()].map(refusedNames));
    expect(outcomes.filter(({ length }) => length === 0)).toHaveLength(1);
    expect(await isMade()).toBe((await status()) === 'approved');
  });
});

const DECISIONS = KINDS.flatMap((kind) =>
  (['approve', 'refuse'] as const).map((each) => [each, kind] as const),
);

describe.each(DECISIONS)('whatever fails while one is to %s %s', (decide, kind) => {
  test.each(['error', 'answer lost', 'throttled', 'conflict'] as const)('by %s', async (fault) => {
    for (const isLasting of [false, true]) {
      for (let at = 1, wasHit = true; wasHit; at++) {
        const one = await waiting(kind);
        let seen = 0;
        wasHit = false;
        it.world.faults = (call) => {
          const isHit = faultsOf(call).includes(fault) && ++seen >= at && (isLasting || seen === at);
          wasHit ||= isHit;
          return isHit ? fault : undefined;
        };
        const [failed] = await refusedNames(one[decide]());
        it.world.faults = noFaults;
        // The decision and what it makes are both there, or neither; and a decision that has come through is there.
        const status = await one.status();
        expect(await one.isMade()).toBe(status === 'approved');
        if (failed === undefined) expect(status).not.toBe('pending');
        // Where it is still pending it can be decided as before.
        if (status === 'pending') expect(await refusedNames(one[decide]())).toEqual([]);
        else expect(await refusedNames(one.approve())).toContain('approval');
      }
    }
  });
});
