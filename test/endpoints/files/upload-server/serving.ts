import { once } from 'node:events';
import {
  createUploadServer,
  type UploadServerOptions,
} from '../../../../functions/endpoints/files/upload-server/upload-server.ts';
import { receiveFile } from '../../../../functions/files/upload/receive-file.ts';
import type { Principal } from '../../../../functions/http/call.ts';
import { Unauthenticated } from '../../../../functions/http/errors.ts';
import { json } from '../../../../functions/http/response.ts';
import { memoryPorts } from '../../../files/upload/memory-ports.ts';

const DRAINED = { bytes: 1_000_000, milliseconds: 1_000 };

/** `key` belongs to the workspace `w1`, and `key-of-x` to the workspace `x`. */
function principalOf(authorization = ''): Principal {
  const [, workspaceId = 'w1'] = /^Bearer key(?:-of-(\w+))?$/.exec(authorization) ?? [];
  if (!authorization.startsWith('Bearer key')) throw new Unauthenticated('Invalid API key');
  return { keyHash: 'k', kind: 'normal', workspaceId, creator: 'k', rateLimits: {} };
}

/** The real server and rules, with stores in memory. */
export async function serveUploads(options: Partial<UploadServerOptions> = {}) {
  const world = memoryPorts();
  const counted: number[] = [];
  const server = createUploadServer({
    entrance: { publicUrl: undefined, edgeSecretsSha256: [] },
    authenticator: { authenticate: async ({ authorization }) => principalOf(authorization) },
    takeToken: async () => ({ 'x-ratelimit-limit': '60' }),
    upload: async ({ headers, principal, log }, body, pace) => {
      const contentType = headers['content-type'];
      const { workspaceId } = principal;
      const request = { body, pace, contentType, workspaceId, conditions: () => ({}), log };
      return json(200, await receiveFile(request, world.ports));
    },
    log: world.log,
    newRequestId: () => 'ours',
    now: () => new Date('2026-01-02T03:04:05Z'),
    countRequest: ({ status }) => counted.push(status),
    maxUploads: 4,
    pace: { bytesPerSecond: 1, graceMilliseconds: 600_000, checkMilliseconds: 1_000 },
    drain: { known: DRAINED, unknown: DRAINED },
    ...options,
  });
  server.http.listen(0, '127.0.0.1');
  await once(server.http, 'listening');
  const address = server.http.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    ...server,
    ...world,
    counted,
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.http.close();
      server.http.closeAllConnections();
      await once(server.http, 'close');
    },
  };
}

export const FILES = '/api/v1/files';
