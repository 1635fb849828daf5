/** Raises the alarms about what only shows outside, by faults of the real upload server and of what the canary calls. */
import { once } from 'node:events';
import { beforeAll, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { runCanary } from '../../../functions/canary/run-canary.ts';
import { createUploadServer } from '../../../functions/endpoints/files/upload-server/upload-server.ts';
import { json } from '../../../functions/http/response.ts';
import { UNLIMITED } from '../../../functions/http/scope.ts';
import { bundleFunctions, type InstanceScript } from '../../simulation/bundle.ts';
import { AlarmedStage, SEEN_FROM_OUTSIDE } from './alarmed-stage.ts';

const addressSchema = v.object({ port: v.number() });

/** The deployed server, and what a load balancer sees of it in a minute. */
async function serveUploads() {
  const tables = { answer: true };
  const little = { bytes: 1_000, milliseconds: 1_000 };
  const { http } = createUploadServer({
    entrance: { publicUrl: undefined, edgeSecretsSha256: [] },
    authenticator: {
      authenticate: async () => {
        if (!tables.answer) throw new Error('no table answers');
        return {
          keyHash: 'k',
          kind: 'normal',
          workspaceId: 'w1',
          creator: 'k',
          rateLimits: {},
          scope: UNLIMITED,
          endsAt: null,
        };
      },
    },
    takeToken: async () => ({}),
    upload: async () => json(200, {}),
    parts: { add: async () => json(200, {}) },
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    newRequestId: () => 'ours',
    now: () => new Date(),
    countRequest: () => undefined,
    maxUploads: 4,
    pace: { bytesPerSecond: 1, graceMilliseconds: 600_000, checkMilliseconds: 1_000 },
    drain: { known: little, unknown: little },
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  const { port } = v.parse(addressSchema, http.address());
  const statusOf = (path: string, init?: RequestInit) =>
    fetch(`http://127.0.0.1:${port}${path}`, init).then(
      ({ status }) => status,
      () => undefined,
    );
  const balance = async () => {
    const upload = () => statusOf('/api/v1/files', { method: 'POST', body: 'a file' });
    const statuses = await Promise.all(Array.from({ length: 4 }, upload));
    return {
      healthy: (await statusOf('/health')) === 200 ? 1 : 0,
      failed: statuses.filter((status = 0) => status >= 500).length,
      unreached: statuses.filter((status) => status === undefined).length,
    };
  };
  return { http, tables, balance };
}

/** How a run of the canary ends on a stage that answers so. */
const canary = (fetch: typeof globalThis.fetch): Promise<'passed' | 'failed'> =>
  runCanary({
    baseUrl: 'https://api.test/api/v1',
    key: 'sk-gw-v1-key',
    fetch,
    receiver: undefined,
    largeUploads: undefined,
    deadline: new Date('2100-01-01'),
    now: () => new Date('2026-01-01'),
    pause: async () => undefined,
  }).then(
    () => 'passed',
    () => 'failed',
  );

/** Answers as a stage that keeps one file. */
function keepingFiles(): typeof globalThis.fetch {
  let file: ReturnType<FormData['get']> = null;
  return async (input, { body } = {}) => {
    const url = String(input);
    if (body instanceof FormData) file = body.get('file');
    if (url.endsWith('/bytes')) return new Response(file);
    return Response.json({ id: 'f', url: 'https://api.test/bytes' });
  };
}

let script: InstanceScript;
beforeAll(async () => {
  script = await bundleFunctions();
});

const SERVER_FAULTS: readonly {
  readonly what: string;
  readonly breaks: (server: Awaited<ReturnType<typeof serveUploads>>) => void;
  readonly alarms: readonly string[];
}[] = [
  {
    what: 'the upload server ends',
    breaks: ({ http }) => http.close().closeAllConnections(),
    alarms: ['UploadServerDown', 'LoadBalancerErrors'],
  },
  {
    what: 'the upload server cannot reach its tables',
    breaks: ({ tables }) => {
      tables.answer = false;
    },
    alarms: ['UploadServerErrors'],
  },
];

test.each(SERVER_FAULTS)('if $what: $alarms', async ({ breaks, alarms }) => {
  // Time passes on the stage while anybody waits for a real server.
  const server = await serveUploads();
  const well = await server.balance();
  breaks(server);
  const ill = await server.balance();
  server.http.close().closeAllConnections();
  const stage = await AlarmedStage.open(script);
  stage.balance = well;
  await stage.run(5);
  stage.fired.clear();
  await stage.run(20);
  expect([...stage.fired]).toEqual([]);
  stage.balance = ill;
  await stage.run(20);
  stage.cloud.stop();
  expect([...stage.fired]).toEqual(alarms);
});

const CANARY_FAULTS = [
  {
    what: 'uploads fail',
    canary: () => canary(async () => new Response(null, { status: 503 })),
    alarms: ['CanaryFails', 'CanarySilent'],
  },
  { what: 'the canary does not run', canary: async () => undefined, alarms: ['CanarySilent'] },
];

test.each(CANARY_FAULTS)('if $what: $alarms', async ({ canary: outcome, alarms }) => {
  const [well, ill] = [await canary(keepingFiles()), await outcome()];
  const stage = await AlarmedStage.open(script);
  stage.canary = well;
  await stage.run(5);
  stage.fired.clear();
  await stage.run(30);
  expect([...stage.fired]).toEqual([]);
  stage.canary = ill;
  await stage.run(30);
  stage.cloud.stop();
  expect([...stage.fired].toSorted()).toEqual(alarms);
});

test('each of them is raised', () => {
  const raised: readonly string[] = [...SERVER_FAULTS, ...CANARY_FAULTS].flatMap(({ alarms }) => alarms);
  expect(new Set(raised)).toEqual(new Set(SEEN_FROM_OUTSIDE));
});
