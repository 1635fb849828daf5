import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as v from 'valibot';
import { log } from '../../../aws/logger.ts';
import { countRequest } from '../../../aws/metrics.ts';
import { readEnvironment } from '../../../environment.ts';
import { keyAuthenticator } from '../../../gate/key-authenticator.ts';
import { routeLimiter } from '../../../gate/rate-limit/route-limiter.ts';
import { uploadOperation } from '../upload-operation.ts';
import { MAX_UPLOADS, STOP_TIMEOUT } from './limits.ts';
import { createUploadServer } from './upload-server.ts';

const MEBIBYTE = 1024 ** 2;

const { HOST, PORT, HOSTS } = readEnvironment({
  HOST: v.string(),
  /** For a server that web pages can reach, as on a developer's machine: what requests may name as their host. */
  HOSTS: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(',')),
    ),
  ),
  PORT: v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(0), v.maxValue(65_535)),
});
const takeToken = routeLimiter('upload-file');
if (takeToken === undefined) throw new Error('uploads are limited');
const server = createUploadServer({
  authenticator: keyAuthenticator(),
  takeToken,
  upload: uploadOperation(),
  log,
  newRequestId: randomUUID,
  countRequest,
  maxUploads: MAX_UPLOADS,
  drain: { bytes: 64 * MEBIBYTE, milliseconds: 15_000 },
  hosts: HOSTS,
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
server.http.listen(PORT, HOST);
await once(server.http, 'listening');
log.info('upload server is listening', { address: server.http.address() });

/** Takes nothing new and lets what is going on end; the process ends by itself when nothing is left. */
function stop(): void {
  server.refuseUploads();
  server.http.close(() => log.info('upload server has stopped'));
  setTimeout(() => server.http.closeAllConnections(), STOP_TIMEOUT).unref();
}
