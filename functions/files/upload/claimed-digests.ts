import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { invalidField } from '../../http/errors.ts';
import { CONTENT_MD5_HEADER } from '../../http/headers.ts';

type DigestAlgorithm = 'crc32' | 'md5' | 'sha256' | 'sha512';

/** What its sender says of a file's bytes. */
export interface ClaimedDigest {
  /** The header that says so. */
  readonly field: string;
  readonly algorithm: DigestAlgorithm;
  readonly encoding: 'base64' | 'hex';
  readonly value: string;
}

type Fields = ReadonlyMap<string, string | undefined>;

const DIGESTS: Readonly<Record<DigestAlgorithm, { readonly name: string; readonly bytes: number }>> = {
  crc32: { name: 'CRC-32', bytes: 4 },
  md5: { name: 'MD5', bytes: 16 },
  sha256: { name: 'SHA-256', bytes: 32 },
  sha512: { name: 'SHA-512', bytes: 64 },
};

/** Headers that hold one digest (RFC 1864, and two of our own), and the name by which the edge repeats one of them. */
const SINGLE: readonly (readonly [field: string, algorithm: DigestAlgorithm, repeated?: string])[] = [
  ['content-md5', 'md5', CONTENT_MD5_HEADER],
  ['x-checksum-crc32', 'crc32'],
  ['x-checksum-sha256', 'sha256'],
];

/** The names of our own begin so. */
const OWN = 'x-checksum-';

/** Headers that hold several: `sha-256=<base64>` (RFC 3230) and `sha-256=:<base64>:` (RFC 9530). */
const LISTS: readonly (readonly [field: string, member: RegExp, form: string])[] = [
  ['digest', /^([\w-]+)=([\w+/]+=*)$/, 'sha-256=<base64>'],
  ['repr-digest', /^([\w-]+)=:([\w+/]+=*):$/, 'sha-256=:<base64>:'],
];
const LISTED: ReadonlyMap<string, DigestAlgorithm> = new Map([
  ['md5', 'md5'],
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
]);

/**
 * What headers say of the file: those of its part, and those of the request too. Strictly these would be about the
 * whole form, of which nobody knows the bytes before a client has written it.
 * @throws InvalidRequest
 */
export function claimedDigests(fields: Fields): ClaimedDigest[] {
  assertOwnKnown(fields);
  const single = SINGLE.flatMap(([field, algorithm, repeated = field]) => {
    const text = fields.get(field) ?? fields.get(repeated);
    return text === undefined ? [] : [readDigest(field, algorithm, text.trim())];
  });
  const listed = LISTS.flatMap(([field, member, form]) => {
    const text = fields.get(field);
    return text === undefined ? [] : readList(field, text, member, form);
  });
  return [...single, ...listed];
}

/** Nobody means anything else by such a name than a digest that is to be checked. */
function assertOwnKnown(fields: Fields): void {
  const supported = SINGLE.map(([field]) => field).filter((field) => field.startsWith(OWN));
  const unknown = [...fields.keys()].find((name) => name.startsWith(OWN) && !supported.includes(name));
  if (unknown !== undefined)
    throw invalidField(
      unknown,
      `is not a checksum header that Genway knows; supported: ${supported.join(', ')}`,
      {
        supported,
      },
    );
}

/** Others are passed over, as RFC 9530 has it, but not where nothing at all could be checked. */
function readList(field: string, text: string, member: RegExp, form: string): ClaimedDigest[] {
  const claims = text.split(',').flatMap((each) => {
    const [, name = '', value = ''] = member.exec(each.trim()) ?? [];
    if (name === '') throw invalidField(field, `must be a list of digests such as ${form}`);
    const algorithm = LISTED.get(name.toLowerCase());
    return algorithm === undefined ? [] : [readDigest(field, algorithm, value)];
  });
  if (claims.length > 0) return claims;
  const supported = [...LISTED.keys()];
  const rule = `must have a digest that Genway can check: ${supported.join(', ')}`;
  throw invalidField(field, rule, { supported });
}

/** @throws InvalidRequest */
export function readDigest(field: string, algorithm: DigestAlgorithm, text: string): ClaimedDigest {
  const { name, bytes } = DIGESTS[algorithm];
  for (const encoding of ['base64', 'hex'] as const) {
    const value = encoding === 'hex' ? text.toLowerCase() : text;
    const decoded = Buffer.from(value, encoding);
    if (decoded.length === bytes && decoded.toString(encoding) === value)
      return { field, algorithm, encoding, value };
  }
  throw invalidField(field, `the ${name} digest must have ${bytes} bytes, in base64 or hexadecimal`);
}

/** Computes the digests of a file as its bytes pass: only those that are claimed, because each costs time for every byte. */
export class DigestCheck {
  readonly #claims: readonly ClaimedDigest[];
  readonly #running: ReadonlyMap<DigestAlgorithm, RunningDigest>;

  constructor(claims: readonly ClaimedDigest[]) {
    this.#claims = claims;
    this.#running = new Map(claims.map(({ algorithm }) => [algorithm, runningDigest(algorithm)]));
  }

  update(bytes: Uint8Array): void {
    for (const running of this.#running.values()) running.update(bytes);
  }

  /**
   * Once all bytes have passed.
   * @returns the digests, which are as claimed
   * @throws InvalidRequest if one differs
   */
  end(): ReadonlyMap<DigestAlgorithm, Buffer> {
    const found = new Map([...this.#running].map(([algorithm, running]) => [algorithm, running.digest()]));
    for (const { field, algorithm, encoding, value } of this.#claims) {
      const actual = found.get(algorithm)?.toString(encoding);
      if (actual === value) continue;
      throw invalidField(field, `the ${DIGESTS[algorithm].name} of the content is ${actual}, not ${value}`);
    }
    return found;
  }
}

interface RunningDigest {
  update(bytes: Uint8Array): unknown;
  digest(): Buffer;
}

const runningDigest = (algorithm: DigestAlgorithm): RunningDigest =>
  algorithm === 'crc32' ? new RunningCrc32() : createHash(algorithm);

class RunningCrc32 implements RunningDigest {
  #sum = 0;

  update(bytes: Uint8Array): void {
    this.#sum = crc32(bytes, this.#sum);
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.#sum);
    return bytes;
  }
}
