import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { routes } from '../../functions/endpoints/definitions.ts';
import type { Route } from '../../functions/http/routes.ts';
import { generateKey, hashKey } from '../../functions/keys/key-format.ts';
import { type Kind, type Row, rows, type Thing, things, type Workspace } from './access-rows.ts';
import { call, newWorkspace, stage } from './stage.ts';
import { until } from './until.ts';

type Credential = string | undefined;

/** Things that the matrix does not change. */
interface Samples {
  readonly own: string;
  readonly foreign: string;
  /** Absent if no operation deletes things of this kind. */
  readonly deleted?: string;
}

interface World {
  readonly own: Workspace;
  readonly foreign: Workspace;
  /** Of the own workspace’s key. */
  readonly session: string;
  readonly managementSession: string;
  /** Every kind of invalid credential, once as an API key and once as a management key. */
  readonly bad: Readonly<Record<string, Credential>>;
  readonly samples: Readonly<Record<Kind, Samples>>;
}

async function makeWorld(): Promise<World> {
  const [own, foreign] = await Promise.all([newWorkspace(), newWorkspace()]);
  const [
    apiKeys,
    managementKeys,
    sessions,
    file,
    upload,
    video,
    waitingVideo,
    workspace,
    key,
    providerKey,
    guardrail,
    destination,
  ] = await Promise.all([
    badKeys('API key', { workspace_id: own.id }),
    badKeys('management key', { management: true }),
    badSessions(),
    makeSamples(things.file, own, foreign),
    makeSamples(things.upload, own, foreign),
    makeSamples(things.video, own, foreign),
    makeSamples(things.waitingVideo, own, foreign),
    makeSamples(things.workspace, own, foreign),
    makeSamples(things.key, own, foreign),
    makeSamples(things.providerKey, own, foreign),
    makeSamples(things.guardrail, own, foreign),
    makeSamples(things.destination, own, foreign),
  ]);
  const bad = { none: undefined, ...apiKeys, ...managementKeys, ...sessions };
  const session = await sessionOf(own.key);
  const managementSession = await sessionOf(stage.managementKey);
  const samples = { file, upload, video, waitingVideo, workspace, key, providerKey, guardrail, destination };
  return { own, foreign, session, managementSession, bad, samples };
}

async function badKeys(kind: string, fields: object): Promise<Record<string, string>> {
  const issue = async (more: object = {}) => {
    const json = { name: 'Matrix', ...fields, ...more };
    const { status, body } = await call('POST', '/keys', { key: stage.managementKey, json });
    expect(status).toBe(201);
    return body as { key: string; data: { hash: string } };
  };
  const [live, disabled, deleted] = await Promise.all([issue(), issue(), issue()]);
  // Comes last, when the function is warm: on a busy machine, a cold start takes long, and a time in the past is refused.
  const expired = await issue({ expires_at: new Date(Date.now() + 10_000).toISOString() });
  await until(
    () => call('GET', '/key', { key: expired.key }),
    ({ status }) => status === 401,
  );
  // No request has used these keys yet. Functions trust a key that they have seen for up to 30 seconds.
  await call('PATCH', `/keys/${disabled.data.hash}`, { key: stage.managementKey, json: { disabled: true } });
  await call('DELETE', `/keys/${deleted.data.hash}`, { key: stage.managementKey });
  return {
    [`a mistyped ${kind}`]: `${live.key.slice(0, -1)}${live.key.endsWith('0') ? '1' : '0'}`,
    [`the public hash of a ${kind}`]: live.data.hash,
    [`an unknown ${kind}`]: generateKey(kind === 'API key' ? 'normal' : 'management', randomBytes),
    [`a disabled ${kind}`]: disabled.key,
    [`an expired ${kind}`]: expired.key,
    [`a deleted ${kind}`]: deleted.key,
  };
}

const sessionOf = async (key: string): Promise<string> =>
  (await call('POST', '/sessions', { key })).body.token;

async function badSessions(): Promise<Record<string, string>> {
  const json = { name: 'Matrix', management: true };
  const { body } = await call('POST', '/keys', { key: stage.managementKey, json });
  const [ended, orphan] = [await sessionOf(stage.managementKey), await sessionOf(body.key)];
  await call('DELETE', '/sessions/current', { key: ended });
  await call('DELETE', `/keys/${body.data.hash}`, { key: stage.managementKey });
  return {
    'an unknown session': generateKey('session', randomBytes),
    'an ended session': ended,
    'a session of a deleted key': orphan,
  };
}

async function makeSamples(thing: Thing, own: Workspace, foreign: Workspace): Promise<Samples> {
  const [ownId, foreignId] = await Promise.all([thing.make(own), thing.make(foreign)]);
  const samples = { own: ownId, foreign: foreignId };
  if (thing.remove === undefined) return samples;
  const deleted = await thing.make(own);
  await thing.remove(deleted, own);
  return { ...samples, deleted };
}

interface Reply {
  readonly status: number;
  /** Everything by which a caller could tell two answers apart. */
  readonly bytes: string;
}

/** These headers depend on the time or the connection, not on the answer. */
const PASSING_HEADERS = /^(date|connection|keep-alive|x-amzn?-request-?id|x-ratelimit-.*)$/;

/** Every request sends the same request id, because answers repeat it. */
async function send(
  { method, path }: Route,
  row: Row,
  key: Credential,
  id = '',
  query = row.query === undefined ? '' : `?${new URLSearchParams(row.query)}`,
): Promise<Reply> {
  const concrete = path.replace(/\{(\w+)\}/g, (_, name) => row.others?.[name] ?? encodeURIComponent(id));
  const sent = row.send?.();
  const { status, headers, body } = await call(method, `${concrete}${query}`, {
    ...sent,
    ...(key === undefined ? {} : { key }),
    headers: { 'x-request-id': 'matrix', ...sent?.headers },
  });
  const told = [...headers].filter(([name]) => !PASSING_HEADERS.test(name)).sort();
  return { status, bytes: JSON.stringify({ status, told, body }) };
}

/**
 * Starts the work for each item, in order and for two items at a time, so that one request is under way while this
 * process reads the answer to another. Returns what a test uses to wait for its own item.
 */
function twoAtATime<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): (item: Item) => Promise<Result> {
  const results = new Map<Item, Promise<Result>>();
  let lanes: [Promise<unknown>, Promise<unknown>] = [Promise.resolve(), Promise.resolve()];
  for (const item of items) {
    const [next, other] = lanes;
    const result = next.then(() => work(item));
    results.set(item, result);
    // The test that waits for it reports its failure.
    lanes = [other, result.catch(() => undefined)];
  }
  return async (item) => {
    const result = results.get(item);
    if (result === undefined) throw new Error('nobody has asked for this item');
    return result;
  };
}

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});

const table = Object.entries<Route>(routes).map(([id, route]) => ({
  id,
  route,
  row: (rows as Record<string, Row>)[id] ?? { passes: 200 },
}));
type Entry = (typeof table)[number];
const closed = table.filter(({ route }) => route.access !== 'public');
const naming = closed.filter(({ row }) => row.names !== undefined);

interface Cell {
  readonly key: Credential;
  readonly id?: string;
  readonly query?: string;
}

/**
 * Sends one request to a route at a time. Two at once would start a second instance of each function, which costs more
 * time than it saves. Requests to two routes may be under way at once, if none of them changes anything.
 */
async function ask(route: Route, row: Row, cells: readonly Cell[]): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const { key, id, query } of cells) replies.push(await send(route, row, key, id, query));
  return replies;
}

/** Expects the same bytes in all refusals, so that a caller without access learns nothing from them. */
function expectAlike(replies: readonly Reply[], status: number): void {
  expect([...new Set(replies.map(({ bytes }) => bytes))]).toHaveLength(1);
  expect(replies[0]?.status).toBe(status);
}

const samplesOf = ({ names }: Row): Partial<Samples> => (names === undefined ? {} : world.samples[names]);
const ids = (...candidates: (string | undefined)[]) => candidates.filter((id) => id !== undefined);

/** Ids that lead nowhere: a deleted one, a random one, and one that no id could be. */
const nowhere = (row: Row): string[] =>
  row.names === undefined ? [] : ids(samplesOf(row).deleted, things[row.names].random(), 'x');

/** The workspace's own thing, then ids that lead nowhere; or nothing for a route without an id. */
const anything = (row: Row): { id?: string }[] =>
  row.names === undefined ? [{}] : [...ids(samplesOf(row).own), ...nowhere(row)].map((id) => ({ id }));

test('every route has a row', () => {
  expect(Object.keys(rows).sort()).toEqual(Object.keys(routes).sort());
});

test('a route with a path parameter says what it names', () => {
  // Endpoints belong to the deployment and not to a workspace, and this stage has no approvals: their routes are left out.
  const named = closed.filter(({ id, route }) => route.path.includes('{') && !/-(endpoint|change)$/.test(id));
  expect(naming.map(({ id }) => id)).toEqual(named.map(({ id }) => id));
});

describe('a wrong credential', () => {
  let refusals: (entry: Entry) => Promise<Record<'missing' | 'invalid', Reply[]>>;
  beforeAll(() => {
    const { none, ...invalid } = world.bad;
    refusals = twoAtATime(closed, async ({ route, row }) => {
      const targets = anything(row);
      const missing = targets.map((target) => ({ key: none, ...target }));
      // There are more of them than targets, so each target is named by some.
      const wrong = Object.values(invalid).map((key, at) => ({ key, ...targets[at % targets.length] }));
      return { missing: await ask(route, row, missing), invalid: await ask(route, row, wrong) };
    });
  });

  test.each(closed)('does not pass $id, whatever it names, and learns nothing', async (entry) => {
    const { missing, invalid } = await refusals(entry);
    expectAlike(missing, 401);
    expectAlike(invalid, 401);
  });
});

describe('a normal key', () => {
  const management = closed.filter(({ route }) => route.access === 'management');
  test.each(management)(
    'does not pass $id, whatever it names, and learns nothing',
    async ({ route, row }) => {
      const keys = [world.own.key, world.foreign.key];
      const cells = anything(row).flatMap((target) => keys.map((key) => ({ key, ...target })));
      expectAlike(await ask(route, row, cells), 403);
    },
  );
});

describe('a session', () => {
  /** What only a key may do, and what only a session may. */
  const OTHERS: Record<string, number> = { 'create-session': 403, 'renew-session': 200 };
  const repeatable = closed.filter(({ row: { consumes }, id }) => !consumes && id !== 'end-session');

  test.each(repeatable)('may call $id as its key may', async ({ id, route, row }) => {
    const { own, session, managementSession } = world;
    const target = row.names === undefined ? {} : { id: samplesOf(row).own ?? '' };
    const query = row.scoped ? { query: `?workspace_id=${own.id}` } : {};
    const [managing] = await ask(route, row, [{ key: managementSession, ...target, ...query }]);
    expect(managing?.status).toBe(OTHERS[id] ?? row.passes);
    const [reply] = await ask(route, row, [{ key: session, ...target }]);
    expect(reply?.status).toBe(route.access === 'management' ? 403 : (OTHERS[id] ?? row.passes));
  });
});

describe('a key that may', () => {
  /** Which keys may call this route, and for which workspace. */
  const permitted = (
    route: Route,
    { scoped }: Row,
  ): { key: string; workspace: Workspace; query?: string }[] => {
    const { own, foreign } = world;
    const management = [own, foreign].map((workspace) => ({
      key: stage.managementKey,
      workspace,
      ...(scoped ? { query: `?workspace_id=${workspace.id}` } : {}),
    }));
    if (route.access === 'management') return management;
    return [...management, { key: own.key, workspace: own }, { key: foreign.key, workspace: foreign }];
  };

  async function target(row: Row, workspace: Workspace): Promise<{ id?: string }> {
    if (row.names === undefined) return {};
    if (row.consumes) return { id: await things[row.names].make(workspace) };
    return { id: world.samples[row.names][workspace === world.own ? 'own' : 'foreign'] };
  }

  test.each(closed)('passes $id', async ({ route, row }) => {
    for (const { workspace, ...cell } of permitted(route, row)) {
      const [reply] = await ask(route, row, [{ ...cell, ...(await target(row, workspace)) }]);
      expect(reply).toEqual({ status: row.passes, bytes: expect.any(String) });
    }
  });
});

describe('an id that the key may not see', () => {
  /** Longer than a table's key may be, from other alphabets, or with a meaning for paths, tables or shells. */
  const MALFORMED = ['x'.repeat(3000), '😀', 'a b', 'a|b#c', '%', '\'"<>`$(x)', 'null', '__proto__', '*'];

  function hidden({ route, row }: Entry): Cell[] {
    const { own, foreign } = world;
    const strange = [...nowhere(row), ...MALFORMED];
    const query = row.scoped ? `?workspace_id=${own.id}` : '';
    const cells: Cell[] = strange.map((id) => ({ key: stage.managementKey, id, query }));
    if (route.access === 'key') {
      const samples = samplesOf(row);
      for (const id of ids(...strange, samples.foreign)) cells.push({ key: own.key, id });
      for (const id of ids(samples.own)) cells.push({ key: foreign.key, id });
    }
    return cells;
  }

  let refusals: (entry: Entry) => Promise<Reply[]>;
  beforeAll(() => {
    refusals = twoAtATime(naming, (entry) => ask(entry.route, entry.row, hidden(entry)));
  });

  test.each(naming)('gets the same response from $id, whether it exists or not', async (entry) => {
    expectAlike(await refusals(entry), 404);
  });
});

describe('a workspace in the query', () => {
  const scoped = closed.filter(({ row }) => row.scoped);
  test.each(scoped)(
    'gives a normal key of another workspace no access through $id, whether it exists or not',
    async ({ route, row }) => {
      const { own, foreign } = world;
      const theirs = ids(samplesOf(row).foreign).map((id) => ({ id }))[0] ?? {};
      const cell = (workspace: string) => ({ key: own.key, ...theirs, query: `?workspace_id=${workspace}` });
      expectAlike(await ask(route, row, [cell(foreign.id), cell(randomUUID())]), row.scoped ?? 0);
      const isHidden = row.scoped === 404 && row.names !== undefined;
      expectAlike(
        await ask(route, row, [cell('x'), cell('no slug'), cell('x'.repeat(3000))]),
        isHidden ? 404 : 400,
      );
    },
  );
});

describe('a list', () => {
  test.each([
    ['/files', 'file'],
    ['/videos', 'video'],
  ] as const)('of %s shows a key only entries of its own workspace', async (path, kind) => {
    const listed = async (key: string) =>
      (await call('GET', path, { key })).body.data.map(({ id }: { id: string }) => id);
    const { own, foreign } = world.samples[kind];
    expect(await listed(world.own.key)).toContain(own);
    expect(await listed(world.own.key)).not.toContain(foreign);
    expect(await listed(world.foreign.key)).not.toContain(own);
  });

  test('of keys never contains a key', async () => {
    const { id, key } = world.own;
    const { body } = await call('GET', `/keys?workspace_id=${id}`, { key: stage.managementKey });
    expect(body.data.map(({ hash }: { hash: string }) => hash)).toContain(hashKey(key));
    expect(JSON.stringify(body)).not.toContain(key);
  });
});
