import type { Headers } from './call.ts';

/** `true`: a body's fields that nothing knows are refused instead of ignored. */
export const STRICT_HEADER = 'x-genway-strict';

/** Of an answer that is the same for everybody. */
export const FOR_A_MINUTE = { 'cache-control': 'public, max-age=60' };

/** Carries the secret by which the edge proves itself. */
export const EDGE_SECRET_HEADER = 'x-genway-edge';

/** Carries the address that a request came from, as the edge saw it. To be believed only beside the secret. */
export const VIEWER_ADDRESS_HEADER = 'x-genway-viewer-address';

/** Repeats a request's `Content-MD5`, which API Gateway does not pass on to functions. */
export const CONTENT_MD5_HEADER = 'x-genway-content-md5';

/**
 * The fields of a request by their names in lower case. A repeated field means its values with commas between (RFC 9110,
 * section 5.3); where only one may be given, such as a credential, that is not a valid value.
 */
export function joinedHeaders(
  fields: Readonly<Record<string, string | readonly string[] | undefined>>,
): Headers {
  const values = new Map<string, string[]>();
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const name = field.toLowerCase();
    values.set(name, [...(values.get(name) ?? []), value].flat());
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.join(', ')]));
}

const ACCEPTABLE = /^[!-~]{1,128}$/;

/** Keeps a caller's own id if it is safe to echo and to log; otherwise makes one. */
export function requestId(fromCaller: string | undefined, ours: string): string {
  return fromCaller !== undefined && ACCEPTABLE.test(fromCaller) ? fromCaller : ours;
}
