import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type DrainLimits, type Pace, placesOfWorkspace } from '../../../fair-shares.ts';
import { FORM_BYTES, LARGEST_FILE, LARGEST_PART, tooLarge } from '../../../files/size-limits.ts';
import { type Entrance, publicUrl, viewerAddress } from '../../../gate/entrance.ts';
import { type Gate, serve, servePublic } from '../../../gate/gate.ts';
import type { RequestHead } from '../../../http/call.ts';
import {
  NotFound,
  PayloadTooLarge,
  PermissionDenied,
  RateLimited,
  ServiceUnavailable,
} from '../../../http/errors.ts';
import { joinedHeaders, requestId } from '../../../http/headers.ts';
import { type ApiResponse, json } from '../../../http/response.ts';
import type { PathParameters } from '../../../http/routes.ts';
import { answerClientError, sendAnswer } from '../../../http/send-answer.ts';
import { type Log, withFields } from '../../../telemetry/log.ts';
import { routes } from '../definition.ts';
import type { PartOperation, UploadCall, UploadOperation } from '../upload-operation.ts';
import { HEADERS_TIMEOUT, KEEP_ALIVE_TIMEOUT, REQUEST_TIMEOUT, SILENCE_TIMEOUT } from './limits.ts';

export interface UploadServerOptions extends Gate<RequestHead<PathParameters>> {
  readonly upload: UploadOperation;
  /** Takes a part of an upload, and records that by its own name. */
  readonly parts: Pick<Gate<RequestHead<PathParameters>>, 'record'> & { readonly add: PartOperation };
  readonly log: Log;
  readonly newRequestId: () => string;
  readonly now: () => Date;
  /** How many uploads may run at once: each holds up to two parts of 8 MiB in memory. */
  readonly maxUploads: number;
  readonly pace: Pace;
  /** How much of a refused body is read, depending on whether the caller's key was accepted. */
  readonly drain: { readonly known: DrainLimits; readonly unknown: DrainLimits };
  /** The accepted `Host` headers, where no load balancer stands between this server and web pages. @default any */
  readonly hosts?: readonly string[] | undefined;
}

export interface UploadServer {
  readonly http: Server;
  readonly places: UploadPlaces;
}

const FILES = `POST /api/v1${routes['upload-file'].path}`;
const PARTS = /^POST \/api\/v1\/uploads\/([^/]+)\/parts$/;

/** Files and parts of uploads whose bodies are too large for a Lambda, and `GET /health`; nothing else. */
export function createUploadServer(options: UploadServerOptions): UploadServer {
  const { drain, pace, hosts } = options;
  const places = new UploadPlaces(options.maxUploads, options.now);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const head = readHead(request, options.newRequestId(), options.log, options.entrance);
    let isKnown = false;
    const receive: Receive = (call, operate) => {
      isKnown = true;
      refuseDeclaredSize(call);
      return places.hold(call.principal.workspaceId, () => operate(call, request, pace));
    };
    const result = isOwnHost(request, hosts)
      ? await serveAsked(`${request.method} ${request.url?.split('?')[0]}`, head, options, receive)
      : await refuse(head, options, foreignHost(hosts));
    if (places.isClosed) response.setHeader('connection', 'close');
    await sendAnswer(request, response, result, isKnown ? drain.known : drain.unknown);
  }

  const http = createServer({
    requestTimeout: REQUEST_TIMEOUT,
    headersTimeout: HEADERS_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
  });
  http.timeout = SILENCE_TIMEOUT;
  http.on('request', (request, response) => {
    const isProbe = request.method === 'GET' && request.url === '/health';
    if (isProbe && isOwnHost(request, hosts)) answerProbe(response, places);
    else void answer(request, response);
  });
  http.on('clientError', answerClientError);
  return { http, places };
}

const isOwnHost = ({ headers }: IncomingMessage, hosts: UploadServerOptions['hosts']): boolean =>
  hosts?.includes(headers.host?.toLowerCase() ?? '') ?? true;

type Head = RequestHead<PathParameters>;

/** Lets an operation read the body of a request, once its caller is known. */
type Receive = <Call extends UploadCall>(
  call: Call,
  operate: (call: Call, body: IncomingMessage, pace: Pace) => Promise<ApiResponse>,
) => Promise<ApiResponse>;

function serveAsked(
  asked: string,
  head: Head,
  options: UploadServerOptions,
  receive: Receive,
): Promise<ApiResponse> {
  const { upload, parts } = options;
  if (asked === FILES) return serve(routes['upload-file'], head, options, (call) => receive(call, upload));
  const [, id] = PARTS.exec(asked) ?? [];
  if (id === undefined) {
    const says = 'The upload server accepts only POST /api/v1/files and POST /api/v1/uploads/{upload}/parts';
    return refuse(head, options, new NotFound(says));
  }
  const route = routes['add-upload-part'];
  const named = { ...head, pattern: route.path, path: { upload: id } };
  return serve(route, named, { ...options, ...parts }, (call) => receive(call, parts.add));
}

const refuse = (head: Head, options: UploadServerOptions, error: Error): Promise<ApiResponse> =>
  servePublic(undefined, head, options, () => Promise.reject(error));

const foreignHost = (hosts: UploadServerOptions['hosts']) =>
  new PermissionDenied(`The Host header must be ${hosts?.join(' or ')}`);

/** The load balancer's question. It comes from inside, so it does not pass the gate. */
function answerProbe(response: ServerResponse, places: UploadPlaces): void {
  const { status, headers, body } = json(places.isClosed ? 503 : 200, { uploads: places.inUse });
  if (places.isClosed) response.setHeader('connection', 'close');
  response.writeHead(status, headers).end(body);
}

/**
 * Refuses before the first byte is read. Where the declared length is missing or false, the bytes are counted later.
 */
function refuseDeclaredSize({ headers, pattern }: RequestHead): void {
  const isPart = pattern === routes['add-upload-part'].path;
  const [limit, what] = isPart ? ([LARGEST_PART, 'part'] as const) : ([LARGEST_FILE, 'file'] as const);
  if (Number(headers['content-length'] ?? 0) > limit + FORM_BYTES)
    throw new PayloadTooLarge(tooLarge(limit, what));
}

const API_PREFIX = /^\/api\/v1(?=\/)/;

/** Translates a request of Node's server. Of a repeated query parameter the last one counts. */
export function readHead(
  request: IncomingMessage,
  ownId: string,
  log: Log,
  entrance: Entrance,
): RequestHead<PathParameters> {
  const { method = 'GET', url = '/' } = request;
  const headers = joinedHeaders(request.headersDistinct);
  const [path = '/', search = ''] = url.split('?', 2);
  const id = requestId(headers['x-request-id'], ownId);
  return {
    requestId: id,
    method,
    pattern: path.replace(API_PREFIX, ''),
    headers,
    path: {},
    query: Object.fromEntries(new URLSearchParams(search)),
    publicUrl: publicUrl(headers, undefined, entrance),
    address: viewerAddress(headers, entrance, request.socket.remoteAddress),
    log: withFields(log, { request_id: id }),
    warnings: [],
  };
}

const RETRY_SECONDS = 5;

/** How many uploads one server takes at once, and each workspace's share of them. There is no waiting line. */
class UploadPlaces {
  readonly #total: number;
  readonly #now: () => Date;
  readonly #taken = new Map<string, number>();
  #inUse = 0;
  #peak = 0;
  #isClosed = false;

  constructor(total: number, now: () => Date) {
    this.#total = total;
    this.#now = now;
  }

  get inUse(): number {
    return this.#inUse;
  }

  /** The most that were in use at once since the last call. */
  takePeak(): number {
    const peak = this.#peak;
    this.#peak = this.#inUse;
    return peak;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** No new upload gets a place; those under way end in peace. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * @throws RateLimited when the workspace has used up its share
   * @throws ServiceUnavailable when others have the rest
   */
  async hold<Result>(workspaceId: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw noPlace();
    const taken = this.#taken.get(workspaceId) ?? 0;
    if (taken >= placesOfWorkspace(this.#total)) throw overShare(taken, this.#now());
    if (this.#inUse >= this.#total) throw noPlace();
    this.#count(workspaceId, 1);
    try {
      return await work();
    } finally {
      this.#count(workspaceId, -1);
    }
  }

  #count(workspaceId: string, change: 1 | -1): void {
    const taken = (this.#taken.get(workspaceId) ?? 0) + change;
    if (taken === 0) this.#taken.delete(workspaceId);
    else this.#taken.set(workspaceId, taken);
    this.#inUse += change;
    this.#peak = Math.max(this.#peak, this.#inUse);
  }
}

const noPlace = (): ServiceUnavailable =>
  new ServiceUnavailable(
    `The upload server cannot take another upload at the moment; try again in ${RETRY_SECONDS} s`,
    { headers: { 'retry-after': String(RETRY_SECONDS) } },
  );

function overShare(share: number, now: Date): RateLimited {
  const uploads = share === 1 ? 'one large upload' : `${share} large uploads`;
  const message = `This workspace already has ${uploads} in progress, the most that this server accepts from a workspace; wait until one ends`;
  return new RateLimited(message, {
    headers: {
      'retry-after': String(RETRY_SECONDS),
      'x-ratelimit-limit': String(share),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.ceil(now.getTime() / 1000) + RETRY_SECONDS),
    },
  });
}
