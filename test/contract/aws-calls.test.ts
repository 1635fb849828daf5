import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Context } from 'aws-lambda';
import * as v from 'valibot';
import { type RouteId, routes } from '../../functions/endpoints/definitions.ts';
import { isAudited, type Route } from '../../functions/http/routes.ts';
import { deployedFunctions } from '../deployed/deployed-functions.ts';
import { rows, things } from './access-rows.ts';
import { eventOf, handlerOf, reachAws } from './in-process.ts';
import { call, newWorkspace, stage } from './stage.ts';

interface CountingProxy {
  readonly url: string;
  /** Returns the calls since the last `take()`, in order. */
  take(): AwsCall[];
  close(): Promise<void>;
}

interface AwsCall {
  /** For example `GetItem` or `PUT`. */
  readonly operation: string;
  status: number;
  sent: string;
  /** The answer's body. It is complete when the caller has received it. */
  answered: string;
}

/** Forwards calls to the emulator's AWS and records them. */
async function openCountingProxy(): Promise<CountingProxy> {
  let calls: AwsCall[] = [];
  const { hostname, port } = new URL(stage.aws.endpoint);
  const server = createServer((incoming, outgoing) => {
    const target = incoming.headers['x-amz-target'];
    const { method = '', url, headers } = incoming;
    const operation = typeof target === 'string' ? (target.split('.')[1] ?? target) : method;
    const call: AwsCall = { operation, status: 0, sent: '', answered: '' };
    calls.push(call);
    const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
      call.status = answer.statusCode ?? 502;
      outgoing.writeHead(call.status, answer.headers);
      answer.on('data', (piece) => {
        call.answered += piece;
      });
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.on('data', (piece) => {
      call.sent += piece;
    });
    incoming.pipe(onward);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    take: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/**
 * Stands for a read of all credits. Other tests lend credits to their workspaces at the same time, so the number of
 * calls varies: first the list of borrowers and the credits, then all loans, a hundred rows in a call, and the credits
 * once more.
 */
const ALL_CREDITS = 'all credits';

/** Reads for a change of a list: the list's row, then its blocks that change. */
const LIST_TO_CHANGE = ['BatchGetItem', 'BatchGetItem'];
/** Reads for a page of a list: the list's row, then the page's blocks, then the rows of the things on the page. */
const PAGE_OF_LIST = ['BatchGetItem', 'BatchGetItem', 'BatchGetItem'];
/** As many pages of the list of keys as the stage has at that moment. */
const ALL_KEYS = 'all keys';
const readsOfAllKeys = (calls: readonly unknown[]): string[] =>
  Array.from(
    { length: Math.max(1, Math.floor((calls.length - 2) / PAGE_OF_LIST.length)) },
    () => PAGE_OF_LIST,
  ).flat();

/**
 * Every AWS call of a request. The function is warm and knows the API key; it looks up management keys on every
 * request. If the route has a rate limit, the first call writes the key's bucket; POST /workspaces is the only route
 * without one. `PUT` and `DELETE` are S3's. One more call is a regression.
 */
const WARM: Readonly<Record<RouteId, readonly string[]>> = {
  'create-key': ['UpdateItem', ...LIST_TO_CHANGE, 'TransactWriteItems'],
  'list-keys': ['UpdateItem', ...PAGE_OF_LIST, 'BatchGetItem'],
  'get-key': ['UpdateItem', 'BatchGetItem'],
  'update-key': ['UpdateItem', 'BatchGetItem', 'TransactWriteItems', 'BatchGetItem'],
  'delete-key': ['UpdateItem', 'GetItem', 'GetItem', ...LIST_TO_CHANGE, 'TransactWriteItems'],
  // The key with its workspace, then the accounts of the two and of the guardrail that the workspace may name.
  'get-current-key': ['UpdateItem', 'BatchGetItem', 'BatchGetItem'],
  'list-approvals': ['UpdateItem', 'Query'],
  // Refused, because there is no such approval.
  'approve-change': ['UpdateItem', 'GetItem'],
  'refuse-change': ['UpdateItem', 'GetItem'],
  'create-session': ['UpdateItem', 'PutItem'],
  // Refused, because the request has a key in place of a session.
  'renew-session': ['UpdateItem'],
  'get-oidc': [],
  // Refused by the identity provider.
  'create-oidc-session': ['UpdateItem'],
  'end-session': [],
  'create-workspace': [...LIST_TO_CHANGE, 'TransactWriteItems'],
  'list-workspaces': ['UpdateItem', ...PAGE_OF_LIST],
  'update-workspace': ['UpdateItem', 'GetItem', 'GetItem', 'TransactWriteItems'],
  'get-workspace': ['UpdateItem', 'GetItem'],
  // Refused, because the workspace has active keys.
  'delete-workspace': ['UpdateItem', 'GetItem', 'Query', 'GetItem'],
  'list-budgets': ['UpdateItem', 'GetItem', 'BatchGetItem'],
  'get-budget': ['UpdateItem', 'GetItem', 'BatchGetItem'],
  'put-budget': [
    'UpdateItem',
    'GetItem',
    'BatchGetItem',
    'BatchGetItem',
    'TransactWriteItems',
    'BatchGetItem',
  ],
  'delete-budget': ['UpdateItem', 'GetItem', 'BatchGetItem', 'BatchGetItem', 'TransactWriteItems'],
  'get-workspace-webhook': ['UpdateItem', 'GetItem', 'GetItem'],
  'put-workspace-webhook': ['UpdateItem', 'GetItem', 'UpdateItem'],
  'delete-workspace-webhook': ['UpdateItem', 'GetItem', 'UpdateItem'],
  'rotate-webhook-secret': ['UpdateItem', 'GetItem', 'GetItem', 'GenerateMac', 'UpdateItem'],
  'reveal-webhook-secret': ['UpdateItem', 'GetItem', 'GetItem'],
  'get-workspace-broadcast': ['UpdateItem', 'GetItem', 'GetItem'],
  'put-workspace-broadcast': ['UpdateItem', 'GetItem', 'GetItem', 'Encrypt', 'PutItem'],
  'delete-workspace-broadcast': ['UpdateItem', 'GetItem', 'DeleteItem'],
  // Refused, because there is no destination.
  'test-workspace-broadcast': ['UpdateItem', 'GetItem', 'GetItem'],
  'list-destinations': ['UpdateItem', 'GetItem', 'GetItem'],
  // Refused, because there is no such kind.
  'create-destination': ['UpdateItem'],
  'get-destination': ['UpdateItem', 'GetItem'],
  // What was there before is read for the audit trail.
  'update-destination': ['UpdateItem', 'GetItem', 'PutItem'],
  'delete-destination': ['UpdateItem', 'GetItem', 'DeleteItem'],
  'create-provider-key': ['UpdateItem', 'GetItem', 'Encrypt', ...LIST_TO_CHANGE, 'TransactWriteItems'],
  'list-provider-keys': ['UpdateItem', ...PAGE_OF_LIST],
  'get-provider-key': ['UpdateItem', 'GetItem'],
  'update-provider-key': ['UpdateItem', 'GetItem', 'UpdateItem'],
  'delete-provider-key': ['UpdateItem', 'GetItem', 'GetItem', ...LIST_TO_CHANGE, 'TransactWriteItems'],
  'test-provider-key': ['UpdateItem', 'GetItem', 'Decrypt'],
  'create-guardrail': ['UpdateItem', 'TransactWriteItems'],
  'list-guardrails': ['UpdateItem', 'GetItem', 'Query'],
  'get-guardrail': ['UpdateItem', 'GetItem'],
  'update-guardrail': ['UpdateItem', 'GetItem', 'GetItem', 'TransactWriteItems'],
  // The three reads are for the workspace's keys, because they may use this guardrail.
  'delete-guardrail': ['UpdateItem', 'GetItem', 'GetItem', ...PAGE_OF_LIST, 'TransactWriteItems'],
  'list-key-assignments': ['UpdateItem', ALL_KEYS],
  'list-assigned-keys': ['UpdateItem', 'GetItem', ...PAGE_OF_LIST],
  // Refused, because there is no such key.
  'assign-keys': ['UpdateItem', 'GetItem'],
  'unassign-keys': ['UpdateItem', 'GetItem'],
  'get-credits': ['UpdateItem', ALL_CREDITS],
  'grant-credits': ['UpdateItem', 'GetItem', ALL_CREDITS, 'TransactWriteItems'],
  // One query for each of thirty days.
  'list-activity': ['UpdateItem', ...Array(30).fill('Query')],
  'get-analytics-meta': ['UpdateItem'],
  'query-analytics': ['UpdateItem', ...Array(30).fill('Query')],
  'list-audit': ['UpdateItem', 'Query', 'BatchGetItem'],
  'get-generation': ['UpdateItem', 'GetItem'],
  // Refused, because there is no such generation. A logged one costs one read and one decryption more.
  'get-generation-content': ['UpdateItem', 'GetItem'],
  'get-webhook-keys': [],
  'get-openapi-json': [],
  'get-openapi-yaml': [],
  'get-docs': [],
  'get-docs-asset': [],
  // Refused, because the address is not public.
  'test-workspace-webhook': ['UpdateItem', 'GetItem'],
  'list-webhook-deliveries': ['UpdateItem', 'GetItem', 'Query'],
  // The second write is to the workspace's bucket.
  'recover-webhook-deliveries': ['UpdateItem', 'GetItem', 'UpdateItem', 'GetItem', 'Query'],
  // Refused, because there is no such delivery.
  'redeliver-webhook-delivery': ['UpdateItem', 'GetItem', 'GetItem'],
  'list-video-deliveries': ['UpdateItem', 'GetItem', 'GetItem'],
  // Refused, because there is nothing to deliver yet.
  'redeliver-video-webhook': ['UpdateItem', 'GetItem'],
  'upload-file': ['UpdateItem', 'PutItem', 'PUT', 'TransactWriteItems'],
  'create-upload': ['UpdateItem', 'TransactWriteItems'],
  'add-upload-part': ['UpdateItem', 'GetItem', 'UpdateItem', 'PUT', 'UpdateItem'],
  // Refused, because it has no such part.
  'complete-upload': ['UpdateItem', 'GetItem'],
  'cancel-upload': ['UpdateItem', 'GetItem', 'TransactWriteItems'],
  'list-files': ['UpdateItem', 'Query'],
  'get-file': ['UpdateItem', 'GetItem'],
  'delete-file': ['UpdateItem', 'GetItem', 'UpdateItem', 'DELETE', 'TransactWriteItems'],
  'get-file-content': ['UpdateItem', 'GetItem'],
  'list-endpoints': ['UpdateItem', 'GetItem'],
  'put-endpoint': ['UpdateItem', 'GetItem', 'TransactWriteItems'],
  'update-endpoint': ['UpdateItem', 'GetItem', 'TransactWriteItems'],
  // Refused, because there is no such endpoint.
  'delete-endpoint': ['UpdateItem', 'GetItem'],
  'submit-video': ['UpdateItem', 'TransactWriteItems', 'SendMessage'],
  // Refused, because there is no such video.
  'edit-video': ['UpdateItem', 'GetItem'],
  'extend-video': ['UpdateItem', 'GetItem'],
  // Refused, because the video has not ended. It is read for its model, for its length, and as an input.
  'remix-video': ['UpdateItem', 'GetItem', 'GetItem', 'GetItem'],
  'estimate-video': ['UpdateItem', 'BatchGetItem', ALL_CREDITS],
  'list-video-models': [],
  'list-models': [],
  'count-models': [],
  'list-model-endpoints': [],
  'list-providers': [],
  'get-model': [],
  'list-own-models': ['UpdateItem', 'BatchGetItem'],
  'list-zdr-endpoints': ['UpdateItem', 'Query'],
  // Refused, because nobody has signed it.
  'receive-callback': [],
  // The workspace is empty. One call more would read the rows of its jobs.
  'list-videos': ['UpdateItem', 'Query'],
  'cancel-video': ['UpdateItem', 'GetItem', 'TransactWriteItems', 'SendMessage'],
  'list-video-events': ['UpdateItem', 'GetItem'],
  'get-video': ['UpdateItem', 'GetItem'],
  // Refused, because the job has not ended.
  'delete-video': ['UpdateItem', 'GetItem'],
  'get-video-content': ['UpdateItem', 'GetItem'],
};

/** So that a function stays warm between two calls, also on a busy machine. The deployed stage forgets much sooner. */
const USUAL_CACHE = { ENDPOINT_CACHE_SECONDS: '30' };

let proxy: CountingProxy;
let environments: Map<string, Record<string, string>>;
beforeAll(async () => {
  proxy = await openCountingProxy();
  // The address of a queue leads to the stage too.
  const throughProxy = (variables: object): Record<string, string> =>
    JSON.parse(JSON.stringify(variables).replaceAll(stage.aws.endpoint, proxy.url));
  const deployed = [...(await deployedFunctions(stage.aws))].map(
    ([id, { Environment }]) => [id, throughProxy({ ...Environment?.Variables, ...USUAL_CACHE })] as const,
  );
  environments = new Map(deployed);
  reachAws(proxy.url);
  // After the first grant every submit reads the credits. Granting some here makes the order of the tests irrelevant.
  await call('POST', '/credits', { key: stage.managementKey, ...rows['grant-credits'].send?.() });
});
afterAll(() => proxy.close());

/** A management key that nobody has used yet. The first call of each minute records the key's use. */
async function freshKey(route: Route, workspace: { key: string }): Promise<string> {
  if (route.access !== 'management') return workspace.key;
  const json = { name: 'Counted', management: true };
  return (await call('POST', '/keys', { key: stage.managementKey, json })).body.key;
}

async function requestOf(
  route: Route,
  routeId: RouteId,
  { workspace, key }: { workspace: { id: string; key: string }; key: string },
) {
  const row = rows[routeId];
  const id = row.names === undefined ? '' : await things[row.names].make(workspace);
  const sent = new Request('http://127.0.0.1/', {
    method: 'POST',
    ...(row.send?.().body === undefined
      ? { body: JSON.stringify(row.send?.().json ?? {}), headers: { 'content-type': 'application/json' } }
      : { body: row.send?.().body ?? null }),
  });
  const parameters = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [
    name,
    row.others?.[name] ?? id,
  ]);
  return eventOf(route, {
    key,
    parameters: Object.fromEntries(parameters),
    query: row.query,
    headers: { ...Object.fromEntries(sent.headers), ...row.send?.().headers },
    body: new Uint8Array(await sent.arrayBuffer()),
  });
}

/** These functions answer with a file beside their bundle. It is not beside their source, so they cannot run here. */
const DESCRIPTION = globSync('functions/endpoints/description/*.ts');
const fromBundle = (id: string): boolean => DESCRIPTION.some((file) => file.endsWith(`/${id}.ts`));

test('the functions that serve the description contain no AWS client', () => {
  expect(DESCRIPTION.length).toBeGreaterThan(4);
  for (const file of DESCRIPTION) expect(readFileSync(file, 'utf8')).not.toMatch(/\/aws\//);
});

/** Writes the calls for `bench/handlers.ts`, which replays them against an AWS that answers at once. */
function record(routeId: RouteId, said: object): void {
  const folder = process.env.GENWAY_RECORD_CALLS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  const environment = environments.get(routeId);
  const text = JSON.stringify({ ...said, environment, status: rows[routeId].passes });
  writeFileSync(join(folder, `${routeId}.json`), text.replaceAll(proxy.url, 'http://aws.invalid'));
}

const isRefusedTransaction = ({ operation, status }: AwsCall) =>
  operation === 'TransactWriteItems' && status === 400;

describe('the AWS calls of', () => {
  test.each(Object.entries<Route>(routes).filter(([id]) => !fromBundle(id)))('%s', async (id, route) => {
    const routeId = id as RouteId;
    const workspace = await newWorkspace();
    const handler = await handlerOf(routeId, environments.get(routeId) ?? {});
    // Both requests are made first. The first call warms the function, and it forgets the key after some seconds.
    const caller = { workspace, key: await freshKey(route, workspace) };
    // A workspace has one destination, which can be deleted once.
    const another = { ...caller, workspace: id === 'delete-destination' ? await newWorkspace() : workspace };
    const events = [await requestOf(route, routeId, caller), await requestOf(route, routeId, another)];
    const [cold, warm] = events;
    const serve = async (event = cold) => {
      proxy.take();
      const { statusCode } = await handler(event!, {} as Context);
      expect(statusCode).toBe(rows[routeId].passes);
      return proxy.take();
    };
    const first = await serve();
    const authentication = route.access === 'management' ? ['GetItem'] : [];
    const [rate, ...work] = WARM[routeId];
    // An audit entry before the work, and its outcome afterwards.
    const recorded =
      route.limit === undefined
        ? ['PutItem', ...WARM[routeId], 'PutItem']
        : [rate, 'PutItem', ...work, 'PutItem'];
    const expected = route.access === 'management' && isAudited(route) ? recorded : WARM[routeId];
    let calls = await serve(warm);
    // When another test writes to the same list, the transaction is refused and made again.
    for (let more = 3; more > 0 && calls.some(isRefusedTransaction); more--) {
      calls = await serve(await requestOf(route, routeId, caller));
    }
    record(routeId, { event: warm, first, calls });
    const whole = [...authentication, ...expected].flatMap((each) =>
      each === ALL_CREDITS ? readsOfAllCredits(calls) : each === ALL_KEYS ? readsOfAllKeys(calls) : [each],
    );
    expect(calls.map(({ operation }) => operation)).toEqual(whole);
  });
});

test('a submit by OpenAI’s client makes the same calls as any other', async () => {
  const { key } = await newWorkspace();
  const handler = await handlerOf('submit-video', environments.get('submit-video') ?? {});
  const form = new FormData();
  for (const [name, value] of Object.entries({ model: 'sandbox/clip-1', prompt: 'A fox', seconds: '1' })) {
    form.append(name, value);
  }
  const sent = new Response(form);
  const headers = { ...Object.fromEntries(sent.headers), 'user-agent': 'OpenAI/JS 7.55.0' };
  const event = eventOf(routes['submit-video'], { key, headers, body: await sent.bytes() });
  const submit = async () => {
    proxy.take();
    const { statusCode } = await handler(event, {} as Context);
    expect(statusCode).toBe(202);
    return proxy.take().map(({ operation }) => operation);
  };
  await submit();
  expect(await submit()).toEqual(WARM['submit-video']);
});

const listsSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    Responses: v.record(
      v.string(),
      v.array(
        v.object({
          account: v.object({ S: v.string() }),
          holders: v.optional(v.object({ SS: v.array(v.string()) })),
        }),
      ),
    ),
  }),
);

function readsOfAllCredits(calls: readonly AwsCall[]): string[] {
  const lists = calls.find(({ sent }) => sent.includes('"leases-0"'));
  const { Responses } = v.parse(listsSchema, lists?.answered);
  const holders = Object.values(Responses).flatMap((rows) =>
    rows.flatMap(({ holders }) => holders?.SS ?? []),
  );
  const hundreds = Math.ceil(holders.length / 100);
  return Array(1 + hundreds + 1).fill('BatchGetItem');
}
