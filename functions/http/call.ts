import * as v from 'valibot';
import type { ChangedField } from '../audit/changed-fields.ts';
import type { Log } from '../telemetry/log.ts';
import { InvalidRequest, invalidField } from './errors.ts';
import { STRICT_HEADER } from './headers.ts';
import { JSON_BODY_LIMIT, parseJsonBody } from './json-body.ts';
import type { LimitedClass } from './routes.ts';
import { readFields } from './schema-fields.ts';
import type { Scope } from './scope.ts';
import { unknownNames, type Warn } from './unknown-names.ts';
import { validate } from './validation.ts';

/** The kind of a key: it generates, or it also manages keys, workspaces and money. */
export type KeyKind = 'normal' | 'management';

/** Requests a minute, for the classes in which a key has a rate of its own. */
export type RateLimits = Readonly<Partial<Record<LimitedClass, number>>>;

/** Who is calling, as the key's record says: its kind is never inferred from the key's prefix. */
export interface Principal {
  readonly keyHash: string;
  /** The first of the management keys that have made it, one the other. Absent where none has. */
  readonly line?: string | undefined;
  readonly kind: KeyKind;
  /** The workspace of a normal key; for a management key, the one in which it acts unless it names another. */
  readonly workspaceId: string;
  readonly scope: Scope;
  /** When the credential ends; null where it does not. No key that is made with it ends later. */
  readonly endsAt: string | null;
  readonly creator: string;
  readonly rateLimits: RateLimits;
  /** The guardrail of its submits in its own workspace; null: the one that the workspace names. */
  readonly guardrailId?: string | null;
  /** The session of the console in which the key acts; absent where the request has the key itself. */
  readonly session?: {
    readonly hash: string;
    readonly endsAt: string;
    /** The person who has signed in with an identity provider. */
    readonly subject?: string | undefined;
  };
}

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** One request without its body, free of its transport. `Path` is the parameters in the path of its route. */
export interface RequestHead<Path = unknown> {
  readonly requestId: string;
  readonly method: string;
  /** The pattern below `/api/v1` that the request matched: `/videos/{video}`. */
  readonly pattern: string;
  readonly headers: Headers;
  readonly path: Path;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Where the caller reaches this deployment, without a trailing slash: `https://…`. */
  readonly publicUrl: string;
  /** Where it came from; undefined where an edge should have said that, and has not. */
  readonly address?: string | undefined;
  readonly log: Log;
  /** What the caller should know although the request succeeded; sent as `x-genway-warning`. */
  readonly warnings: string[];
}

/** One request, as an operation sees it. */
export interface Call<Path = unknown> extends RequestHead<Path> {
  readonly body: Uint8Array;
}

/** What the gate adds to a request whose credential it has accepted. */
export interface Admitted {
  readonly principal: Principal;
  /** What the call has changed, for the audit trail. */
  readonly changes: ChangedField[];
}

export interface AuthenticatedCall<Path = unknown> extends Call<Path>, Admitted {}

export function jsonBody<const Schema extends v.GenericSchema>(
  call: Call,
  schema: Schema,
  limit = JSON_BODY_LIMIT,
): v.InferOutput<Schema> {
  assertNotEncoded(call.headers);
  // A POST without required fields needs no body. Any other change without one is a mistake.
  if (call.body.byteLength === 0 && call.method === 'POST' && v.is(schema, {})) return validate(schema, {});
  const body = parseJsonBody(call.body, call.headers['content-type'], limit);
  return validate(schema, readFields(schema, body, onUnknownField(call)));
}

/** A field that nothing knows is ignored with a warning; a caller who wants to be strict is refused before anything is spent. */
export const onUnknownField =
  ({ headers, warnings }: Pick<RequestHead, 'headers' | 'warnings'>): Warn =>
  (warning, path) => {
    if (isStrict(headers)) throw new InvalidRequest(warning, { metadata: { path } });
    warnings.push(warning);
  };

const isStrict = (headers: Headers): boolean => headers[STRICT_HEADER]?.toLowerCase() === 'true';

/** What has been asked of each query so far: an operation asks in parts, each of which knows its own parameters alone. */
const known = new WeakMap<RequestHead['query'], Set<string>>();

/** @throws InvalidRequest */
export function query<const Entries extends v.ObjectEntries>(
  { query: sent }: Pick<RequestHead, 'query'>,
  entries: Entries,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> {
  known.set(sent, new Set([...(known.get(sent) ?? []), ...Object.keys(entries)]));
  return validate(v.object(entries), sent);
}

/** For a strict request that has read its query, and has changed nothing. @throws InvalidRequest */
export function refuseUnread({ query: sent, headers, warnings }: RequestHead): void {
  const read = known.get(sent);
  if (read === undefined || !isStrict(headers)) return;
  const tell = unknownNames('query parameter', onUnknownField({ headers, warnings }));
  for (const name of Object.keys(sent)) if (!read.has(name)) tell(name, [...read]);
}

/** Warns of the parameters that nobody has asked for, once all that matter have been. */
export function warnOfUnread({ query: sent, warnings }: Pick<RequestHead, 'query' | 'warnings'>): void {
  const read = [...(known.get(sent) ?? [])];
  const tell = unknownNames('query parameter', (warning) => warnings.push(warning));
  for (const name of Object.keys(sent)) if (!read.includes(name)) tell(name, read);
}

/**
 * Bodies must not be compressed: one could unpack to a thousand times its size.
 * @throws InvalidRequest
 */
export function assertNotEncoded({ 'content-encoding': encoding = '' }: Headers): void {
  if (/^(identity)?$/i.test(encoding.trim())) return;
  throw invalidField('content-encoding', 'is not supported; send the body uncompressed');
}
