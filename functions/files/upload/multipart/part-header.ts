import { parseHeaderValue } from './header-value.ts';
import { MalformedMultipart } from './malformed-multipart.ts';

export interface PartHeader {
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
    throw new MalformedMultipart('a part must say content-disposition: form-data, with a name');
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
      throw new MalformedMultipart('a part has a line among its headers that is not "name: value"');
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
      "filename* must be as RFC 5987 has it, such as UTF-8''na%C3%AFve.txt",
      cause,
    );
  }
}

const latin1 = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
