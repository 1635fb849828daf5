import createClient, { type Client } from 'openapi-fetch';
import type { paths } from './types.ts';

export const API_PATH = '/api/v1';
export type Api = Client<paths>;

/**
 * The public API, as any client calls it. Redirects are never followed: the page asks where things are instead.
 *
 * @param credential a key, or the token of a session
 * @param ended ends what is still under way
 * @param onRefused called when the API no longer accepts the credential
 */
export function openApi(
  credential: string,
  ended: AbortSignal | null = null,
  onRefused: () => void = () => undefined,
): Api {
  const api = createClient<paths>({
    baseUrl: API_PATH,
    headers: { authorization: `Bearer ${credential}` },
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    signal: ended,
  });
  api.use({
    onResponse: ({ response: { status } }) => {
      if (status === 401) onRefused();
    },
  });
  return api;
}

interface Outcome<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** What was asked for. @throws ApiFailure */
export async function answered<Data>(call: Promise<Outcome<Data>>): Promise<Data> {
  const { data, error, response } = await call;
  if (response.ok && data !== undefined) return data;
  throw failureOf(response.status, error, response.headers.get('x-request-id') ?? undefined);
}

/** What the API refused, or could not do. Its message is written for people. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  /** The field at fault, where there is one. */
  readonly path: string | undefined;
  /** Names the request in the deployment's log. */
  readonly requestId: string | undefined;
  readonly resetsAt: string | undefined;

  constructor(
    status: number,
    message: string,
    details: { path?: string; requestId?: string; resetsAt?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.status = status;
    this.path = details.path;
    this.requestId = details.requestId;
    this.resetsAt = details.resetsAt;
  }
}

/** Reads the body of an error, which may be another program's: nothing of it is taken for granted. */
export function failureOf(status: number, body: unknown, requestId?: string): ApiFailure {
  const error = member(body, 'error');
  const metadata = member(error, 'metadata');
  const message = text(member(error, 'message')) ?? `The API returned ${status} without a message`;
  const path = text(member(metadata, 'path'));
  const resetsAt = moment(member(metadata, 'resets_at'));
  return new ApiFailure(status, message, {
    ...(path === undefined ? {} : { path }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}

/** What a person reads, whatever went wrong. */
export function inWords(error: unknown): string {
  if (error instanceof ApiFailure) return error.message;
  return 'The API or its storage could not be reached. Check the connection, then try again.';
}

/** A refusal stays one; what never arrived, or broke on the other side, may work the next time. */
export function isWorthAnotherTry(error: unknown): boolean {
  return !(error instanceof ApiFailure) || error.status >= 500;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

const moment = (value: unknown): string | undefined => {
  const iso = text(value);
  return iso === undefined || Number.isNaN(Date.parse(iso)) ? undefined : iso;
};

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** Sends a request under a key by which the API knows it again. */
export type SendOnce = <Answer>(request: unknown, send: (key: string) => Promise<Answer>) => Promise<Answer>;

/**
 * Keeps the key of each request until it has succeeded: whoever presses again after a lost answer gets what the first
 * press did, and nothing is done twice.
 */
export function sendOnce(newKey: () => string): SendOnce {
  const keys = new Map<string, string>();
  return async (request, send) => {
    const name = JSON.stringify(request);
    const key = keys.get(name) ?? newKey();
    keys.set(name, key);
    const answer = await send(key);
    keys.delete(name);
    return answer;
  };
}

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** Without the fields that are undefined: these are left out of a request. */
export function present<Fields extends object>(fields: Fields): Present<Fields> {
  const kept: Present<Fields> = { ...fields };
  for (const name in kept) if (kept[name] === undefined) delete kept[name];
  return kept;
}
