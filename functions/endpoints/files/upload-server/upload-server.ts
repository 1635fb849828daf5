import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { LARGEST_BODY, LARGEST_FILE, tooLarge } from '../../../files/upload/size-limits.ts';
import type { Authenticator } from '../../../gate/authentication.ts';
import type { TakeToken } from '../../../gate/rate-limit/route-limiter.ts';
import type { RequestHead } from '../../../http/call.ts';
import { toErrorResponse } from '../../../http/error-mapper.ts';
import { NotFound, PayloadTooLarge, PermissionDenied, ServiceUnavailable } from '../../../http/errors.ts';
import { type ApiResponse, json, withCommonHeaders } from '../../../http/response.ts';
import { routes } from '../../../http/routes.ts';
import type { Log } from '../../../log.ts';
import type { UploadOperation } from '../upload-operation.ts';
import { answerClientError } from './client-error.ts';
import { HEADERS_TIMEOUT, KEEP_ALIVE_TIMEOUT, REQUEST_TIMEOUT, SILENCE_TIMEOUT } from './limits.ts';
import { readHead } from './request-head.ts';
import { type DrainLimits, sendAnswer } from './send-answer.ts';

export interface UploadServerOptions {
  readonly authenticator: Authenticator;
  readonly takeToken: TakeToken;
  readonly upload: UploadOperation;
  readonly log: Log;
  readonly newRequestId: () => string;
  readonly countRequest: (status: number, milliseconds: number) => void;
  /** How many uploads may be going on: each holds up to three parts of 5 MiB in memory. */
  readonly maxUploads: number;
  readonly drain: DrainLimits;
  /** What `Host` may say, where no load balancer stands between this server and web pages. @default anything */
  readonly hosts?: readonly string[] | undefined;
}

export interface UploadServer {
  readonly http: Server;
  /** From now on no upload is begun; those that are going on end in peace. */
  refuseUploads(): void;
}

const PATH = `/api/v1${routes['upload-file'].path}`;
const RETRY_AFTER = { 'retry-after': '5' };

/** `POST /api/v1/files` for bodies that no Lambda can take, and `GET /health`; nothing else. */
export function createUploadServer(options: UploadServerOptions): UploadServer {
  const { authenticator, takeToken, upload, maxUploads, hosts } = options;
  let uploads = 0;
  let refusing = false;

  async function answer(request: IncomingMessage, head: RequestHead): Promise<ApiResponse> {
    const [path] = (request.url ?? '').split('?', 1);
    const operation = `${head.method} ${path}`;
    if (hosts?.includes(head.headers.host?.toLowerCase() ?? '') === false) {
      throw new PermissionDenied(`The Host header must be ${hosts.join(' or ')}`);
    }
    if (operation === 'GET /health') return json(refusing ? 503 : 200, { uploads });
    if (operation !== `POST ${PATH}`) throw new NotFound(`This server takes POST ${PATH} alone`);
    const principal = await authenticator.authenticate(head.headers, routes['upload-file'].access);
    if (principal === undefined) throw new Error('uploads are never public');
    refuseDeclaredSize(head);
    if (refusing || uploads >= maxUploads) {
      throw new ServiceUnavailable('Too many uploads at once; try again soon', { headers: RETRY_AFTER });
    }
    uploads += 1;
    try {
      const rateHeaders = await takeToken(principal);
      const stored = await upload({ ...head, principal }, request);
      return { ...stored, headers: { ...rateHeaders, ...stored.headers } };
    } finally {
      uploads -= 1;
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const begun = performance.now();
    const head = readHead(request, options.newRequestId(), options.log);
    const result = await answer(request, head).catch((error: unknown) => toErrorResponse(error, head));
    if (refusing) response.setHeader('connection', 'close');
    if (head.pattern !== '/health') options.countRequest(result.status, performance.now() - begun);
    await sendAnswer(request, response, withCommonHeaders(result, head.requestId), options.drain);
  }

  const http = createServer({
    requestTimeout: REQUEST_TIMEOUT,
    headersTimeout: HEADERS_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
  });
  http.timeout = SILENCE_TIMEOUT;
  http.on('request', (request, response) => void serve(request, response));
  http.on('clientError', answerClientError);
  return {
    http,
    refuseUploads: () => {
      refusing = true;
    },
  };
}

/** Before the first byte is read; where no length is declared, or a false one, the bytes are counted. */
function refuseDeclaredSize({ headers }: RequestHead): void {
  if (Number(headers['content-length'] ?? 0) > LARGEST_BODY)
    throw new PayloadTooLarge(tooLarge(LARGEST_FILE));
}
