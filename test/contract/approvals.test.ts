import { randomBytes, randomUUID } from 'node:crypto';
import { DeleteCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { newApproval } from '../../functions/approvals/approval.ts';
import { ApprovalStore } from '../../functions/approvals/approval-store.ts';
import { variables } from '../../functions/environment-names.ts';
import { type Scope, UNLIMITED } from '../../functions/http/scope.ts';
import { newId } from '../../functions/ids.ts';
import { issueKey } from '../../functions/keys/create-key.ts';
import { hashKey } from '../../functions/keys/key-format.ts';
import { keyOfPerson } from '../../functions/keys/people.ts';
import { SessionStore } from '../../functions/keys/session-store.ts';
import { issueSession } from '../../functions/keys/sessions.ts';
import { findOffer } from '../../functions/videos/catalogue/catalogue.ts';
import { DEFAULT_WORKSPACE_ID } from '../../functions/workspaces/workspace.ts';
import { dynamo, tableNamed } from './aws.ts';
import { inProcess } from './in-process.ts';
import { call, newWorkspace, stage } from './stage.ts';

/** The deployed stage has no approvals. So the functions that ask for them run here, on its tables, with them. */
let withApprovals: (request: Request) => Promise<Response>;
beforeAll(async () => {
  withApprovals = await inProcess({ [variables.approvals]: 'on' });
});

async function ask(method: string, path: string, key: string, json?: unknown) {
  const answer = await withApprovals(
    new Request(`${stage.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    }),
  );
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const issued = (scope: Partial<Scope> = {}) =>
  issueKey(
    {
      kind: 'management',
      name: 'Of its own line',
      workspaceId: scope.workspaces?.[0] ?? DEFAULT_WORKSPACE_ID,
      creatorUserId: null,
      externalUser: null,
      expiresAt: null,
      rateLimits: { admin: 60_000, read: 60_000 },
      scope: { ...UNLIMITED, ...scope },
    },
    new Date(),
    randomBytes,
  );

/** A management key that no other key has made, as the administrator’s command makes them. */
async function ownKey(scope: Partial<Scope> = {}): Promise<string> {
  const { key, stored } = issued(scope);
  await dynamo.send(new PutCommand({ TableName: await tableNamed('Keys'), Item: stored }));
  return key;
}

/** A session of a person who has signed in with an identity provider. */
async function sessionOf(sub: string, scope: Partial<Scope> = {}): Promise<string> {
  const key = keyOfPerson({ sub }, 'https://issuer.example', new Date());
  await dynamo.send(new PutCommand({ TableName: await tableNamed('Keys'), Item: key }));
  const person = { subject: sub, scope: { ...UNLIMITED, ...scope } };
  const { token, stored } = issueSession(
    { keyHash: key.hash, endsAt: null, person },
    new Date(),
    randomBytes,
  );
  await new SessionStore(dynamo, await tableNamed('Sessions')).insert(stored);
  return token;
}

let asker: string;
let second: string;
beforeAll(async () => {
  [asker, second] = await Promise.all([ownKey(), ownKey()]);
});

const NEW_KEY = { name: 'Colleague', management: true };
const askForKey = (fields: object = {}, key = asker) => ask('POST', '/keys', key, { ...NEW_KEY, ...fields });
const approve = (id: string, key = second) => ask('POST', `/approvals/${id}/approve`, key);
const refuse = (id: string, key = second) => ask('POST', `/approvals/${id}/refuse`, key);
const opens = async (key: string) => (await call('GET', '/key', { key })).status === 200;

async function entriesOf(action: string) {
  const { body } = await call('GET', `/audit?limit=100&action=${action}`, { key: stage.managementKey });
  return body.data as { key_hash: string; status: number; target: object; changes: object[] }[];
}

describe('a new management key', () => {
  test('opens nothing until a second key has approved it', async () => {
    const { status, body } = await askForKey({ limit: 5, scope: { operations: ['read'] } });
    expect(status).toBe(202);
    expect(body.data).toMatchObject({
      action: 'create-key',
      target: hashKey(body.key),
      request: { name: 'Colleague', limit: 5, scope: { operations: ['read'] }, is_management_key: true },
      status: 'pending',
      asked_by: hashKey(asker),
      decided_by: null,
    });
    expect(await opens(body.key)).toBe(false);
    const listed = await ask('GET', '/approvals?limit=20', second);
    expect(listed.body.data).toContainEqual(body.data);

    const approved = await approve(body.data.id);
    expect(approved).toMatchObject({
      status: 200,
      body: { data: { status: 'approved', decided_by: hashKey(second) } },
    });
    expect(await opens(body.key)).toBe(true);
    const { body: shown } = await call('GET', `/keys/${hashKey(body.key)}`, { key: stage.managementKey });
    expect(shown.data).toMatchObject({ limit: 5, scope: { operations: ['read'] }, disabled: false });
    expect(shown.data).not.toHaveProperty('line');
  });

  test('has both keys in the audit trail, and its secret nowhere', async () => {
    const { body } = await askForKey();
    await approve(body.data.id);
    const told = [
      { field: 'approval', from: null, to: JSON.stringify(body.data.id) },
      { field: 'asked_by', from: null, to: JSON.stringify(hashKey(asker)) },
      { field: 'target', from: null, to: JSON.stringify(hashKey(body.key)) },
    ];
    const asked = (await entriesOf('create-key')).find(({ changes }) =>
      JSON.stringify(changes).includes(body.data.id),
    );
    expect(asked).toMatchObject({
      key_hash: hashKey(asker),
      status: 202,
      changes: expect.arrayContaining(told),
    });
    const decided = (await entriesOf('approve-change')).find(({ target }) =>
      JSON.stringify(target).includes(body.data.id),
    );
    expect(decided).toMatchObject({
      key_hash: hashKey(second),
      status: 200,
      changes: expect.arrayContaining(told),
    });
    expect(decided?.changes).toContainEqual({
      field: 'hash',
      from: null,
      to: JSON.stringify(hashKey(body.key)),
    });
    for (const table of ['Approvals', 'Audit', 'Keys']) {
      const { Items } = await dynamo.send(new ScanCommand({ TableName: await tableNamed(table) }));
      expect(JSON.stringify(Items)).not.toContain(body.key);
    }
  });

  test('is not approved by the key that asked, its sessions, and keys of its line', async () => {
    const { body: made } = await call('POST', '/keys', { key: asker, json: { ...NEW_KEY } });
    const { body: madeByMade } = await call('POST', '/keys', { key: made.key, json: { ...NEW_KEY } });
    const { body: session } = await call('POST', '/sessions', { key: asker });
    const { body } = await askForKey();
    for (const key of [asker, session.token, made.key, madeByMade.key]) {
      expect((await approve(body.data.id, key)).status).toBe(403);
    }
    const { body: fromMade } = await askForKey({}, made.key);
    for (const key of [asker, madeByMade.key])
      expect((await approve(fromMade.data.id, key)).status).toBe(403);
    expect(await opens(body.key)).toBe(false);
    // A key that was approved is still known to who asked for it.
    await approve(body.data.id);
    const { body: next } = await askForKey();
    expect((await approve(next.data.id, body.key)).status).toBe(403);
  });

  test('that a person asks for is approved by another person, who may do as much', async () => {
    const [ada, bob] = [randomUUID(), randomUUID()];
    const { body } = await askForKey({}, await sessionOf(ada));
    expect(body.data.subject).toBe(ada);
    for (const token of [await sessionOf(ada), await sessionOf(bob, { operations: ['read', 'keys'] })]) {
      expect((await approve(body.data.id, token)).status).toBe(403);
    }
    expect(await opens(body.key)).toBe(false);
    expect((await approve(body.data.id, await sessionOf(bob))).status).toBe(200);
    expect(await opens(body.key)).toBe(true);
  });

  test('is decided once, whoever decides at the same moment', async () => {
    const { body } = await askForKey();
    const { id } = body.data;
    const answers = await Promise.all([approve(id), refuse(id), approve(id), refuse(id), refuse(id, asker)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
    const decided = answers.find(({ status }) => status === 200)?.body.data.status;
    expect(await opens(body.key)).toBe(decided === 'approved');
    expect((await approve(id)).status).toBe(409);
  });

  test('that was refused or withdrawn never opens anything', async () => {
    for (const key of [second, asker]) {
      const { body } = await askForKey();
      expect(await refuse(body.data.id, key)).toMatchObject({
        status: 200,
        body: { data: { status: 'refused' } },
      });
      expect((await approve(body.data.id)).status).toBe(409);
      expect(await opens(body.key)).toBe(false);
    }
  });

  test.each([
    ['deleted', (hash: string) => call('DELETE', `/keys/${hash}`, { key: stage.managementKey })],
    [
      'disabled',
      (hash: string) =>
        call('PATCH', `/keys/${hash}`, { key: stage.managementKey, json: { disabled: true } }),
    ],
  ])('does not begin once the key that asked is %s', async (_, end) => {
    const { body: made } = await call('POST', '/keys', { key: stage.managementKey, json: NEW_KEY });
    const { body } = await askForKey({}, made.key);
    await end(hashKey(made.key));
    expect((await approve(body.data.id)).status).toBe(409);
    expect(await opens(body.key)).toBe(false);
  });

  test('does not begin in a workspace that has been deleted meanwhile', async () => {
    const { id } = (
      await call('POST', '/workspaces', {
        key: stage.managementKey,
        json: { name: 'Short', slug: `t-${randomUUID()}` },
      })
    ).body.data;
    const { body } = await askForKey({ workspace_id: id });
    await call('DELETE', `/workspaces/${id}`, { key: stage.managementKey });
    expect(await approve(body.data.id)).toMatchObject({
      status: 400,
      body: {
        error: {
          message: `The workspace ${id} of the new key does not exist; request a key in another workspace`,
        },
      },
    });
    expect(await opens(body.key)).toBe(false);
  });

  test('does not begin with a guardrail that does not exist', async () => {
    const { body } = await askForKey({ guardrail_id: randomUUID() });
    const { status, body: refused } = await approve(body.data.id);
    expect([status, refused.error.metadata?.path]).toEqual([400, undefined]);
    expect(refused.error.message).toMatch(
      /^The change is no longer valid; refuse it and request another. Reason: guardrail_id: /,
    );
  });

  test('is approved only by a key that may do as much', async () => {
    const [own, other] = await Promise.all([newWorkspace(), newWorkspace()]);
    const { body } = await askForKey({
      workspace_id: own.id,
      scope: { workspaces: [own.id], operations: ['keys', 'money'] },
    });
    const { id } = body.data;
    const elsewhere = await ownKey({ workspaces: [other.id] });
    expect((await approve(id, elsewhere)).status).toBe(404);
    expect((await ask('GET', '/approvals', elsewhere)).body.data).toEqual([]);
    for (const operations of [['read'], ['read', 'keys']] as const) {
      expect((await approve(id, await ownKey({ workspaces: [own.id], operations }))).status).toBe(403);
    }
    const able = await ownKey({ workspaces: [own.id], operations: ['read', 'keys', 'money'] });
    expect((await approve(id, able)).status).toBe(200);
  });

  test('can no longer be approved after its end', async () => {
    const { key: secret, stored } = issued();
    const { body: earlier } = await askForKey();
    const store = new ApprovalStore(dynamo, await tableNamed('Approvals'));
    const askedAt = new Date(Date.now() - 24 * 3_600_000);
    const found = await store.find(earlier.data.id, new Date());
    if (found?.change.action !== 'create-key') throw new Error('no such approval');
    const principal = {
      keyHash: hashKey(asker),
      kind: 'management',
      workspaceId: '',
      scope: UNLIMITED,
      endsAt: null,
      creator: '',
      rateLimits: {},
    } as const;
    const late = newApproval(newId.approval(askedAt), principal, { ...found.change, stored }, askedAt);
    await store.insert(late);
    expect((await approve(late.id)).status).toBe(404);
    expect((await refuse(late.id)).status).toBe(404);
    expect(await opens(secret)).toBe(false);
    await dynamo.send(
      new DeleteCommand({
        TableName: await tableNamed('Approvals'),
        Key: { listing: 'approval', id: late.id },
      }),
    );
  });

  test('is not come by with a change of another one', async () => {
    const { body: made } = await call('POST', '/keys', { key: stage.managementKey, json: NEW_KEY });
    const path = `/keys/${hashKey(made.key)}`;
    expect((await ask('PATCH', path, second, { disabled: true })).status).toBe(200);
    for (const json of [{ disabled: false }, { expires_at: null }, { expires_at: '2099-01-01T00:00:00Z' }]) {
      expect((await ask('PATCH', path, second, json)).status).toBe(400);
    }
    expect(await opens(made.key)).toBe(false);
  });
});

test('what is no approval is not found', async () => {
  // A key of the table has at most 1,024 bytes.
  for (const id of ['x', '%20', 'x'.repeat(1_025), newId.approval(new Date())]) {
    expect([(await approve(id)).status, (await refuse(id)).status]).toEqual([404, 404]);
  }
});

test('an API key needs no approval', async () => {
  const { id } = await newWorkspace();
  const { status, body } = await ask('POST', '/keys', asker, { name: 'CI', workspace_id: id });
  expect([status, await opens(body.key)]).toEqual([201, true]);
  expect((await ask('PATCH', `/keys/${body.data.hash}`, asker, { disabled: false })).status).toBe(200);
});

describe('a change of the catalogue', () => {
  const { id: _, ...row } = findOffer('sandbox/clip-1')!;
  const newRow = (): { path: string; put: object } => {
    const name = `t-${randomUUID()}`;
    return { path: `/endpoints/sandbox/${name}`, put: { ...row, model: `acme/${name}` } };
  };
  const shownAt = async (path: string) => {
    const { body } = await call('GET', '/endpoints', { key: stage.managementKey });
    return body.data.find(({ id }: { id: string }) => path === `/endpoints/${id}`);
  };

  test('waits for a second key, and leaves what was there in force', async () => {
    const { path, put } = newRow();
    const added = await ask('PUT', path, asker, put);
    expect(added).toMatchObject({
      status: 202,
      body: { data: { action: 'put-endpoint', status: 'pending' } },
    });
    expect(added.body.data.request).toMatchObject(put);
    expect(await shownAt(path)).toBeUndefined();
    expect((await approve(added.body.data.id, asker)).status).toBe(403);
    expect((await approve(added.body.data.id)).status).toBe(200);
    expect(await shownAt(path)).toMatchObject(put);

    const price_per_second = { silent: 7, with_audio: 7 };
    const { body: priced } = await ask('PATCH', path, asker, { price_per_second });
    expect(await shownAt(path)).toMatchObject(put);
    await approve(priced.data.id);
    expect(await shownAt(path)).toMatchObject({ price_per_second });

    const { body: gone } = await ask('DELETE', path, asker);
    expect(await shownAt(path)).toBeDefined();
    await approve(gone.data.id);
    expect(await shownAt(path)).toBeUndefined();
    expect((await ask('DELETE', path, asker)).status).toBe(404);
  });

  test('is refused like one without approvals if it is wrong', async () => {
    const { path, put } = newRow();
    expect((await ask('PUT', path, asker, { ...put, durations: [] })).status).toBe(400);
    expect((await ask('PATCH', path, asker, { paused: false })).status).toBe(404);
  });

  test('is made once, and not if the row has changed since it was asked for', async () => {
    const { path, put } = newRow();
    const first = await ask('PUT', path, asker, put);
    const other = await ask('PUT', path, asker, { ...put, price_per_second: { silent: 1, with_audio: 1 } });
    const answers = await Promise.all([approve(first.body.data.id), approve(first.body.data.id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    for (const [id, told] of [
      [first.body.data.id, /already been approved/],
      [other.body.data.id, /has changed since/],
    ] as const) {
      expect(await approve(id)).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringMatching(told) } },
      });
    }
    expect(await shownAt(path)).toMatchObject(put);
    await call('DELETE', path, { key: stage.managementKey });
  });

  test('needs no approval where it pauses an endpoint, and one where it resumes it', async () => {
    const { path, put } = newRow();
    await call('PUT', path, { key: stage.managementKey, json: put });
    const dear = { paused: true, price_per_second: { silent: 7, with_audio: 7 } };
    expect((await ask('PATCH', path, asker, dear)).status).toBe(202);
    expect(await shownAt(path)).toMatchObject(put);
    expect((await ask('PATCH', path, asker, { paused: true })).status).toBe(200);
    const { status, body } = await ask('PATCH', path, asker, { paused: false });
    expect([status, (await shownAt(path)).paused]).toEqual([202, true]);
    await approve(body.data.id);
    expect((await shownAt(path)).paused).toBe(false);
    await call('DELETE', path, { key: stage.managementKey });
  });

  test('is decided only by keys that may change the catalogue', async () => {
    const { path, put } = newRow();
    const { id } = (await ask('PUT', path, asker, put)).body.data;
    const [{ id: workspaceId }, keys] = await Promise.all([
      newWorkspace(),
      ownKey({ operations: ['read', 'keys'] }),
    ]);
    const limited = await ownKey({ workspaces: [workspaceId] });
    expect([(await approve(id, keys)).status, (await refuse(id, keys)).status]).toEqual([403, 403]);
    expect([(await approve(id, limited)).status, (await refuse(id, limited)).status]).toEqual([404, 404]);
    expect((await refuse(id, await ownKey({ operations: ['read', 'catalogue'] }))).status).toBe(200);
    expect(await shownAt(path)).toBeUndefined();
  });

  test('is not made once the key that asked has ended', async () => {
    const { path, put } = newRow();
    const { body: made } = await call('POST', '/keys', { key: stage.managementKey, json: NEW_KEY });
    const { body } = await ask('PUT', path, made.key, put);
    await call('DELETE', `/keys/${hashKey(made.key)}`, { key: stage.managementKey });
    expect((await approve(body.data.id)).status).toBe(409);
    expect(await shownAt(path)).toBeUndefined();
  });
});
