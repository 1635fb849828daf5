import { describe, expect, test } from '@jest/globals';
import { routes } from '../../functions/endpoints/definitions.ts';
import { type Gate, type RequestHandler, serve } from '../../functions/gate/gate.ts';
import type { Admitted, Principal, RequestHead } from '../../functions/http/call.ts';
import {
  InvalidRequest,
  ProviderUnavailable,
  RateLimited,
  ServiceUnavailable,
  Unauthenticated,
} from '../../functions/http/errors.ts';
import { json, redirect } from '../../functions/http/response.ts';
import { isAudited, type PathParameters, type Route } from '../../functions/http/routes.ts';
import { mayActIn, UNLIMITED } from '../../functions/http/scope.ts';
import type { RequestReport } from '../../functions/telemetry/metrics.ts';

const LISTING = routes['list-files'];

const principal: Principal = {
  keyHash: 'k',
  kind: 'normal',
  workspaceId: 'w1',
  creator: 'k',
  rateLimits: {},
  scope: UNLIMITED,
  endsAt: null,
};
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const head: RequestHead<PathParameters> = {
  requestId: 'r1',
  method: 'GET',
  pattern: '/files',
  headers: {},
  path: {},
  query: {},
  publicUrl: 'https://api.example',
  log: silent,
  warnings: [],
};

interface Setting {
  readonly route?: (typeof routes)['list-files' | 'get-file'];
  readonly head?: RequestHead<PathParameters>;
  readonly authenticate?: () => Promise<Principal>;
  readonly takeToken?: () => Promise<Record<string, string>>;
  readonly isRecorded?: boolean;
  readonly operation?: RequestHandler<RequestHead & Admitted>;
  readonly edgeSecretsSha256?: readonly Buffer[];
}

/** Sends a request and records the gate's steps in order. */
async function ask({
  route = LISTING,
  head: asked = head,
  authenticate,
  takeToken,
  isRecorded = false,
  operation,
  edgeSecretsSha256 = [],
}: Setting = {}) {
  const steps: string[] = [];
  const reports: RequestReport[] = [];
  const step = <Result>(name: string, work: () => Promise<Result>) => {
    steps.push(name);
    return work();
  };
  const gate: Gate = {
    entrance: { publicUrl: undefined, edgeSecretsSha256 },
    authenticator: {
      authenticate: (_: unknown, access: string) =>
        step(`authenticate for ${access}`, authenticate ?? (async () => principal)),
    },
    takeToken: () => step('limit', takeToken ?? (async () => ({ 'x-ratelimit-limit': '60' }))),
    ...(isRecorded && { record: (_, operate) => step('record', operate) }),
    countRequest: (report) => {
      steps.push(`count ${report.status}`);
      reports.push(report);
    },
  };
  const answer = await serve(route, { ...asked, warnings: [] }, gate, (call) =>
    step(`operate for ${call.principal.workspaceId}`, async () =>
      operation === undefined ? json(200, {}) : operation(call),
    ),
  );
  return { answer, steps, reports };
}

const fail = (error: Error) => () => Promise.reject(error);
const ALL = ['authenticate for key', 'limit', 'operate for w1'];

describe('the gate', () => {
  test('authenticates, limits, operates and counts, and says how much of the rate is left', async () => {
    const { answer, steps } = await ask();
    expect(steps).toEqual([...ALL, 'count 200']);
    expect(answer.headers).toMatchObject({
      'x-ratelimit-limit': '60',
      'x-request-id': 'r1',
      'cache-control': 'no-store',
    });
  });

  test('logs who requested what, with every outcome, and no key if none was accepted', async () => {
    const route = { requestId: 'r1', route: 'GET /files', milliseconds: expect.any(Number) };
    const served = await ask();
    const failed = await ask({ operation: fail(new Error('broken')) });
    const unknown = await ask({ authenticate: fail(new Unauthenticated('Invalid API key')) });
    expect([served, failed, unknown].flatMap(({ reports }) => reports)).toEqual([
      { ...route, status: 200, isOwnFailure: false, caller: principal },
      { ...route, status: 500, isOwnFailure: true, caller: principal },
      { ...route, status: 401, isOwnFailure: false, caller: undefined },
    ]);
  });

  test('logs the workspace that a management key was let into, in place of its own', async () => {
    const operation = async ({ principal: caller }: Admitted) => json(200, { may: mayActIn(caller, 'w2') });
    const manager = async () => ({ ...principal, kind: 'management' as const });
    const { reports } = await ask({ authenticate: manager, operation });
    expect(reports[0]?.caller).toMatchObject({ keyHash: principal.keyHash, workspaceId: 'w2' });
  });

  test('logs what a request was about, and no key that was put in its place', async () => {
    const objectOf = async (asked: Setting) => (await ask(asked)).reports[0]?.object;
    const location = '/api/v1/videos/01K0';
    const file = { ...head, pattern: '/files/{file}', path: { file: 'file_1' } };
    expect(await objectOf({ route: routes['get-file'], head: file })).toBe('file_1');
    expect(await objectOf({ head: { ...head, query: { id: 'gen_1' } } })).toBe('gen_1');
    expect(await objectOf({ operation: async () => json(202, {}, { location }) })).toBe('01K0');
    expect(await objectOf({ operation: async () => ({ ...json(200, {}), made: 'file_2' }) })).toBe('file_2');
    expect(
      await objectOf({ operation: async () => redirect(`https://x.example${location}?Signature=s`) }),
    ).toBe(undefined);
    const leaked = { ...file, path: { file: `sk-gw-v1-${'a'.repeat(40)}` } };
    expect(await objectOf({ route: routes['get-file'], head: leaked })).toBe('sk-gw-v1-…');
    expect(
      await objectOf({
        route: routes['get-file'],
        head: file,
        authenticate: fail(new Unauthenticated('Invalid API key')),
      }),
    ).toBe(undefined);
  });

  test('logs where a request came from, unless it has gone around the edge and may name any place', async () => {
    const from = { ...head, address: '192.0.2.7' };
    const through = await ask({ head: from });
    const around = await ask({ head: from, edgeSecretsSha256: [Buffer.alloc(32)] });
    expect([through, around].map(({ reports }) => reports[0]?.address)).toEqual(['192.0.2.7', undefined]);
  });

  test.each([
    ['a provider that fails', new ProviderUnavailable('failed'), false],
    ['a server that is full', new ServiceUnavailable('too many'), false],
    ['a service of ours that is busy', named('ThrottlingException'), true],
    ['an accident', new TypeError('broken'), true],
  ])('says whether %s is a failure of ours', async (_, error, isOwnFailure) => {
    const { reports } = await ask({ operation: fail(error) });
    expect(reports).toMatchObject([{ isOwnFailure }]);
  });

  test('uses no rate-limit token for an unknown key', async () => {
    const { answer, steps } = await ask({ authenticate: fail(new Unauthenticated('Invalid API key')) });
    expect(steps).toEqual(['authenticate for key', 'count 401']);
    expect(answer.headers).toMatchObject({ 'www-authenticate': 'Bearer', 'x-request-id': 'r1' });
  });

  test('starts no operation beyond the rate', async () => {
    const { steps } = await ask({ takeToken: fail(new RateLimited('Too often')) });
    expect(steps).toEqual(['authenticate for key', 'limit', 'count 429']);
  });

  test.each([
    ['management', ['record']],
    ['normal', []],
  ] as const)('records the calls of a %s key that it has let in: %p', async (kind, recorded) => {
    const { steps } = await ask({ isRecorded: true, authenticate: async () => ({ ...principal, kind }) });
    expect(steps).toEqual(['authenticate for key', 'limit', ...recorded, 'operate for w1', 'count 200']);
  });

  test('has to record every change, and every read of what workspaces keep private', () => {
    const all = Object.values<Route>(routes).filter(({ access }) => access !== 'public');
    const isChange = ({ method }: Route) => method !== 'GET';
    const others = all.filter((route) => isAudited(route) !== isChange(route)).map(({ id }) => id);
    expect(others.toSorted()).toEqual([
      // It changes nothing.
      'estimate-video',
      'get-file-content',
      'get-generation-content',
      'get-video-content',
      // A question that is too long for a path.
      'query-analytics',
      // It changes nothing of the deployment.
      'renew-session',
    ]);
  });

  test('starts no operation without a parameter of its path', async () => {
    const { steps } = await ask({ route: routes['get-file'], isRecorded: true });
    expect(steps).toEqual(['authenticate for key', 'limit', 'count 404']);
  });

  test('checks no key of a request that bypasses the edge', async () => {
    const { steps } = await ask({ edgeSecretsSha256: [Buffer.alloc(32)] });
    expect(steps).toEqual(['count 403']);
  });

  test.each([
    ['a refusal', new InvalidRequest('no'), 400],
    ['an accident', new Error('table Secrets is on fire'), 500],
    ['a busy service, where the route knows a 503', named('ThrottlingException'), 503],
  ])('answers %s, and counts it', async (_, error, status) => {
    const { answer, steps } = await ask({ operation: fail(error) });
    expect(steps).toEqual([...ALL, `count ${status}`]);
    expect(JSON.parse(String(answer.body)).error.code).toBe(status);
    expect(answer.body).not.toContain('fire');
    expect(answer.headers['x-request-id']).toBe('r1');
  });

  test('reports an unused query parameter, unless the request was refused', async () => {
    const asked = { ...head, query: { limt: '5' } };
    const { answer } = await ask({ head: asked });
    expect(answer.headers['x-genway-warning']).toBe('limt is not a query parameter of this operation');
    const refused = await ask({ head: asked, operation: fail(new InvalidRequest('no')) });
    expect(refused.answer.headers['x-genway-warning']).toBeUndefined();
  });

  test('sends the security headers and x-request-id, with refusals too', async () => {
    const warn =
      (fails: boolean): NonNullable<Setting['operation']> =>
      async (call) => {
        call.warnings.push('one', 'two');
        if (fails) throw new InvalidRequest('no');
        return json(200, {});
      };
    for (const fails of [false, true]) {
      const { answer } = await ask({ operation: warn(fails) });
      expect(answer.headers['x-genway-warning']).toBe('one; two');
    }
  });

  test('prefers a response’s own headers', async () => {
    const { answer } = await ask({ operation: async () => json(200, {}, { 'cache-control': 'public' }) });
    expect(answer.headers['cache-control']).toBe('public');
  });
});

function named(name: string): Error {
  return Object.assign(new Error('rate exceeded'), { name });
}
