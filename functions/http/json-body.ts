import { MIMEType } from 'node:util';
import { InvalidRequest } from './errors.ts';
import { checkStructure } from './json-structure.ts';

export const JSON_BODY_LIMIT = 1024 * 1024;
/** Matches the name in clear or in escapes. Few bodies have it. */
const MAY_NAME_A_PROTOTYPE = /__proto__|\\u/;

/**
 * The JSON object in a request body. The limits are checked on the bytes and the text, before anything recursive reads
 * them.
 * @throws InvalidRequest
 */
export function parseJsonBody(
  body: Uint8Array,
  contentType: string | undefined,
  limit = JSON_BODY_LIMIT,
): Record<string, unknown> {
  if (!isJson(contentType)) {
    throw new InvalidRequest('The body must be JSON in UTF-8. Send it with content-type: application/json');
  }
  if (body.byteLength > limit) throw new InvalidRequest(`The body must be at most ${limit} bytes of JSON`);
  const text = decode(body);
  checkStructure(text);
  const value = parse(text);
  if (MAY_NAME_A_PROTOTYPE.test(text)) dropPrototypes(value);
  if (!isObject(value)) throw new InvalidRequest('The body must be one JSON object');
  return value;
}

/** RFC 8259 gives JSON no charset. One other than UTF-8 says that the bytes mean something else. */
function isJson(contentType: string | undefined): boolean {
  try {
    const { essence, params } = new MIMEType(contentType ?? '');
    return essence === 'application/json' && /^utf-?8$/i.test(params.get('charset') ?? 'utf-8');
  } catch {
    return false;
  }
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw new InvalidRequest('The body must be UTF-8', { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const found = text.trim() === '' ? 'it is empty' : 'it does not parse';
    throw new InvalidRequest(`The body must be one JSON object: ${found}`, { cause });
  }
}

/**
 * Drops members named `__proto__`, as unknown fields are ignored: where the value is copied, they would set a
 * prototype. A reviver could drop them too, but would make parsing ten times slower.
 */
function dropPrototypes(value: unknown): void {
  if (Array.isArray(value)) for (const inner of value) dropPrototypes(inner);
  if (!isObject(value)) return;
  // `for in` needs no list of the members, which would take longer to make than the parsing took.
  for (const name in value) {
    if (name === '__proto__') Reflect.deleteProperty(value, name);
    else dropPrototypes(value[name]);
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
