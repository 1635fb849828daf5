import * as v from 'valibot';
import type { Log } from '../log.ts';
import { readFields } from './body-fields.ts';
import { assertNotEncoded } from './content-encoding.ts';
import { JSON_BODY_LIMIT, parseJsonBody } from './json-body.ts';
import type { Principal } from './principal.ts';
import { validate } from './validation.ts';

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
  return validate(
    schema,
    readFields(schema, body, (warning) => call.warnings.push(warning)),
  );
}
