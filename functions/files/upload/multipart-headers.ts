import { InvalidRequest } from '../../http/errors.ts';
import { MalformedMultipart } from './multipart-scanner.ts';

interface PartHeader {
  readonly name: string;
  /** Undefined for a plain field; empty where a file has no name. */
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
  /** All of its headers, by their names in lower case. */
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * What a part's header block says of it.
 * @param block without the empty line that ends it
 * @throws MalformedMultipart
 */
export function readPartHeader(block: Uint8Array): PartHeader {
  const fields = readFields(decode(block));
  const disposition = parseHeaderValue(fields.get('content-disposition') ?? '');
  const name = disposition?.parameters.get('name');
  if (disposition?.value !== 'form-data' || name === undefined) {
    throw new MalformedMultipart('a part must have the header "content-disposition: form-data" with a name');
  }
  const { parameters } = disposition;
  const extended = parameters.get('filename*');
  // Browsers write a quote so (HTML Standard, multipart/form-data encoding algorithm).
  const named = parameters.get('filename')?.replaceAll('%22', '"');
  const plain = named ?? (fields.has('content-type') ? '' : undefined);
  return {
    name,
    filename: extended === undefined ? plain : decodeExtended(extended),
    contentType: fields.get('content-type'),
    fields,
  };
}

function readFields(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  if (block === '') return fields;
  // A line that begins with white space continues the one before it (RFC 5322 §2.2.3).
  for (const line of block.replace(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || /[\r\n]/.test(line)) {
      throw new MalformedMultipart('a header of a part does not have the form "name: value"');
    }
    if (name === 'content-disposition' && fields.has(name)) {
      throw new MalformedMultipart('a part has two content-disposition headers; send one');
    }
    const value = line.slice(colon + 1).trim();
    const before = fields.get(name);
    // As HTTP has it (RFC 9110 §5.3), and as Node.js reads the request's own: no digest among them goes unchecked.
    fields.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return fields;
}

function decode(block: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(block);
  } catch (cause) {
    throw new MalformedMultipart('the headers of a part must be UTF-8', cause);
  }
}

/** RFC 5987: `UTF-8''na%C3%AFve.txt`. */
function decodeExtended(value: string): string {
  const [, charset = '', encoded = ''] = /^([^']*)'[^']*'(.*)$/.exec(value) ?? [];
  try {
    const bytes = Buffer.from(
      encoded.replace(/%([0-9a-f]{2})/gi, (_, hex) => latin1(hex)),
      'latin1',
    );
    if (/%(?![0-9a-f]{2})/i.test(encoded) || !/^(utf-8|iso-8859-1)$/i.test(charset)) throw new Error(charset);
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new MalformedMultipart(
      "filename* must be encoded as RFC 5987 requires, for example UTF-8''na%C3%AFve.txt",
      cause,
    );
  }
}

const latin1 = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** RFC 2046 §5.1.1: up to 70 of these, the last one no space. */
const BOUNDARY = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;

const AT_CONTENT_TYPE = { metadata: { path: 'content-type' } };

/**
 * The boundary that a request's content type names.
 * @param part the one that the form must have
 * @throws InvalidRequest
 */
export function readBoundary(contentType: string | undefined, part = 'file'): string {
  const type = contentType === undefined ? undefined : parseHeaderValue(contentType);
  if (contentType === undefined || !/^\s*multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new InvalidRequest(
      `The body must be multipart/form-data with one part named ${part}`,
      AT_CONTENT_TYPE,
    );
  }
  const boundary = type?.parameters.get('boundary');
  if (boundary === undefined || !BOUNDARY.test(boundary)) {
    throw new InvalidRequest(
      'The content-type must contain the boundary of the multipart body: 1 to 70 of the characters that RFC 2046 allows',
      AT_CONTENT_TYPE,
    );
  }
  return boundary;
}

/** `form-data; name="file"; filename*=UTF-8''x`, taken apart: names in lower case, values without quotes. */
interface HeaderValue {
  readonly value: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const NAME = /;\s*([!#$%&'*+.^_`|~0-9a-z-]+)\s*=\s*/iy;
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"\s*/y;
/** A quoted value may hold anything, a bare one anything but a semicolon: boundaries have `:`, `=` and `/` in them. */
const BARE = /[^;"]*/y;

/**
 * Undefined where it is malformed, or names a parameter twice. Some clients end it with a semicolon.
 *
 * A piece is read at a time, each by an expression that is tried at one place: in a single expression for the
 * whole, blanks that several of its parts could take are tried in every division among them.
 */
export function parseHeaderValue(header: string): HeaderValue | undefined {
  const text = header.trimEnd();
  const end = text.endsWith(';') ? text.length - 1 : text.length;
  const [value = ''] = text.split(';', 1);
  const parameters = new Map<string, string>();
  let at = value.length;
  while (at < end) {
    const name = matchAt(NAME, text, at);
    const start = at + (name?.[0].length ?? 0);
    const quoted = matchAt(QUOTED, text, start);
    const found = quoted ?? matchAt(BARE, text, start);
    const key = name?.[1]?.toLowerCase();
    if (key === undefined || found === null || parameters.has(key)) return undefined;
    parameters.set(key, quoted === null ? found[0].trim() : unescaped(found[1] ?? ''));
    at = start + found[0].length;
  }
  return { value: value.trim().toLowerCase(), parameters };
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}

/** A backslash quotes a quote or itself; before anything else it is one, as in a path of Windows. */
const unescaped = (quoted: string): string => quoted.replace(/\\(["\\])/g, '$1');
