import { once } from 'node:events';
import * as v from 'valibot';
import { runCanary } from '../../../functions/canary/run-canary.ts';
import { createUploadServer } from '../../../functions/endpoints/files/upload-server/upload-server.ts';
import { json } from '../../../functions/http/response.ts';

const addressSchema = v.object({ port: v.number() });

/** The deployed server, and what a load balancer sees of it in a minute. */
export async function serveUploads() {
  const tables = { answer: true };
  const little = { bytes: 1_000, milliseconds: 1_000 };
  const { http } = createUploadServer({
    entrance: { publicUrl: undefined, edgeSecretsSha256: [] },
    authenticator: {
      authenticate: async () => {
        if (!tables.answer) throw new Error('no table answers');
        return { keyHash: 'k', kind: 'normal', workspaceId: 'w1', creator: 'k', rateLimits: {} };
      },
    },
    takeToken: async () => ({}),
    upload: async () => json(200, {}),
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
export const canary = (fetch: typeof globalThis.fetch): Promise<'passed' | 'failed'> =>
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
export function keepingFiles(): typeof globalThis.fetch {
  let file: ReturnType<FormData['get']> = null;
  return async (input, { body } = {}) => {
    const url = String(input);
    if (body instanceof FormData) file = body.get('file');
    if (url.endsWith('/bytes')) return new Response(file);
    return Response.json({ id: 'f', url: 'https://api.test/bytes' });
  };
}
