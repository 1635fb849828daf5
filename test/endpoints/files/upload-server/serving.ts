import { once } from 'node:events';
import {
  createUploadServer,
  type UploadServerOptions,
} from '../../../../functions/endpoints/files/upload-server/upload-server.ts';
import { receiveFile } from '../../../../functions/files/upload/receive-file.ts';
import { Unauthenticated } from '../../../../functions/http/errors.ts';
import { json } from '../../../../functions/http/response.ts';
import { memoryPorts } from '../../../files/upload/memory-ports.ts';

const PRINCIPAL = { keyHash: 'k', kind: 'normal', workspaceId: 'w1', creator: 'k', rateLimits: {} } as const;

/** The real server over the real core, with stores in memory; the credential is the word `key`. */
export async function serveUploads(options: Partial<UploadServerOptions> = {}) {
  const world = memoryPorts();
  const counted: number[] = [];
  const server = createUploadServer({
    authenticator: {
      authenticate: async ({ authorization }) => {
        if (authorization !== 'Bearer key') throw new Unauthenticated('Invalid API key');
        return PRINCIPAL;
      },
    },
    takeToken: async () => ({ 'x-ratelimit-limit': '60' }),
    upload: async ({ headers, principal, log }, body) => {
      const contentType = headers['content-type'];
      const { workspaceId } = principal;
      const request = { body, contentType, workspaceId, conditions: () => [], log };
      return json(200, await receiveFile(request, world.ports));
    },
    log: world.log,
    newRequestId: () => 'ours',
    countRequest: (status) => counted.push(status),
    maxUploads: 4,
    drain: { bytes: 1_000_000, milliseconds: 1_000 },
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
