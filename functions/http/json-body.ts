import { InvalidRequest } from './errors.ts';

const DEEPEST = 32;
const JSON_CONTENT = /^application\/json\s*(;|$)/i;
export const JSON_BODY_LIMIT = 1024 * 1024;

/**
 * The JSON object in a request body. The limits are checked on the bytes, before anything recursive
 * sees them.
 */
export function parseJsonBody(
  body: Uint8Array,
  contentType: string | undefined,
  limit = JSON_BODY_LIMIT,
): Record<string, unknown> {
  if (contentType === undefined || !JSON_CONTENT.test(contentType)) {
    throw new InvalidRequest('The body must be JSON, sent with content-type: application/json');
  }
  if (body.byteLength > limit) throw new InvalidRequest(`The body must be at most ${limit} bytes of JSON`);
  const text = decode(body);
  if (nesting(text) > DEEPEST)
    throw new InvalidRequest(`The body must not nest deeper than ${DEEPEST} levels`);
  const value = parse(text);
  if (!isObject(value)) throw new InvalidRequest('The body must be one JSON object');
  return value;
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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The deepest nesting of brackets outside strings; only an upper bound when the text is not JSON. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return deepest;
}
