import { MIMEType } from 'node:util';
import { InvalidRequest, invalidField } from './errors.ts';

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
    throw new InvalidRequest('The body must be JSON in UTF-8. Send it with content-type: application/json', {
      metadata: { path: 'content-type' },
    });
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
    const found = text.trim() === '' ? 'empty' : 'not valid JSON';
    throw new InvalidRequest(`The body is ${found}; it must be one JSON object`, { cause });
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

const DEEPEST = 32;
/**
 * Far more than any of our objects has. With a hundred thousand members, an object takes its parser twenty times as
 * long.
 */
const MOST_MEMBERS = 1_000;
/**
 * `JSON.parse` takes up to a microsecond for a value, most of all for objects with ever new names. A body of nothing
 * but values takes it up to seventy times as long as reading the bytes.
 */
const MOST_VALUES = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LITERAL = 0;
const BLANK = 1;
const STRING = 2;
const OPEN = 3;
const CLOSE = 4;
const COLON = 5;
const COMMA = 6;

const KINDS = new Uint8Array(128);
for (const [characters, kind] of [
  [' \t\r\n', BLANK],
  ['"', STRING],
  ['[{', OPEN],
  [']}', CLOSE],
  [':', COLON],
  [',', COMMA],
] as const) {
  for (const character of characters) KINDS[character.charCodeAt(0)] = kind;
}

/** What a character outside strings is or begins. */
function kindAt(text: string, i: number): number {
  const code = text.charCodeAt(i);
  return code < KINDS.length ? (KINDS[code] ?? LITERAL) : LITERAL;
}

/** An object or an array that is still open: its names so far, and where in it we are. */
type Level =
  | { readonly kind: 'object'; readonly names: Set<string>; at: string }
  | { readonly kind: 'array'; at: number };

/**
 * Refuses what `JSON.parse` accepts and should not: nesting that would exhaust the stack of whatever walks the value
 * later; more values or members than any request has, or than can be parsed quickly; and a member given twice, of which
 * `JSON.parse` keeps the last and other readers the first. Text that is not JSON may pass: `JSON.parse` judges it
 * afterwards.
 * @throws InvalidRequest
 */
export function checkStructure(text: string): void {
  const open: Level[] = [];
  let values = 0;
  /** The last string, until a colon makes a name of it. */
  let string: string | undefined;
  for (let i = 0; i < text.length; ) {
    const start = i++;
    switch (kindAt(text, start)) {
      case STRING:
        i = endOfString(text, start);
        string = text.slice(start, i);
        values++;
        break;
      case LITERAL:
        i = endOfLiteral(text, start);
        values++;
        break;
      case OPEN:
        enter(open, text[start]);
        values++;
        break;
      case CLOSE:
        open.pop();
        break;
      case COLON:
        if (string === undefined) break;
        enterMember(open, string);
        string = undefined;
        values--;
        break;
      case COMMA:
        enterElement(open.at(-1));
        break;
    }
    if (values > MOST_VALUES)
      throw new InvalidRequest(`The body must not contain more than ${MOST_VALUES} values`);
  }
}

/** Past the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) return i + 1;
  }
  return text.length;
}

/** The end of a number or of a name such as `true`; also skips everything else that is not JSON outside strings. */
function endOfLiteral(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && kindAt(text, i) === LITERAL) i++;
  return i;
}

function enter(open: Level[], bracket: string | undefined): void {
  if (open.length === DEEPEST) {
    throw new InvalidRequest(`The body must not be nested deeper than ${DEEPEST} levels`);
  }
  open.push(bracket === '{' ? { kind: 'object', names: new Set(), at: '' } : { kind: 'array', at: 0 });
}

function enterMember(open: readonly Level[], literal: string): void {
  const level = open.at(-1);
  if (level?.kind !== 'object') return;
  level.at = memberName(literal);
  if (level.names.has(level.at)) {
    throw invalidField(
      open.map(({ at }) => at),
      'must not appear twice',
    );
  }
  level.names.add(level.at);
  if (level.names.size > MOST_MEMBERS) {
    throw new InvalidRequest(`An object in the body must not have more than ${MOST_MEMBERS} members`);
  }
}

/** Escapes are undone, because `"\u0061"` names the same member as `"a"`. */
function memberName(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return String(JSON.parse(literal));
  } catch {
    return literal;
  }
}

function enterElement(level: Level | undefined): void {
  if (level?.kind === 'array') level.at++;
}
