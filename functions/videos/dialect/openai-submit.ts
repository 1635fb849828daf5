import { readBoundary, readPartHeader } from '../../files/upload/multipart-headers.ts';
import { MalformedMultipart, MultipartScanner } from '../../files/upload/multipart-scanner.ts';
import { assertNotEncoded, type Call } from '../../http/call.ts';
import { isOpenaiClient } from '../../http/compatibility.ts';
import { InvalidRequest, invalidField } from '../../http/errors.ts';
import { checkStructure } from '../../http/json-body.ts';

/** Only clients of that API send a form; ours takes JSON alone. */
export const isOpenaiSubmit = ({ headers }: Pick<Call, 'headers'>): boolean =>
  isOpenaiClient(headers) || isForm(headers['content-type']);

/**
 * The same submit with a body of JSON.
 * @param limit of a form, in bytes
 * @throws InvalidRequest
 */
export function withJsonBody<Submit extends Call>(call: Submit, limit: number): Submit {
  const { headers, body } = call;
  const contentType = headers['content-type'];
  if (!isForm(contentType)) return call;
  assertNotEncoded(headers);
  if (body.byteLength > limit) throw new InvalidRequest(`The body must be at most ${limit} bytes`);
  return {
    ...call,
    headers: { ...headers, 'content-type': 'application/json' },
    body: jsonOfForm(body, contentType),
  };
}

const MOST_PARTS = 64;
/** For the name of any field, with a name in brackets behind it. */
const LONGEST_NAME = 256;

/** Bytes of the longest prompt. What is longer is an image in a data URL: it has no control characters, which grow sixfold in JSON. */
const LONGEST_PROSE = 128_000;
const CONTROL_CHARACTER = /\p{Cc}/u;

/** The field that may be a file. */
const IMAGE = 'input_reference';

/**
 * Fields that are more than text; a form writes them as JSON. All others are text, or are built from texts:
 * `metadata[shot]`.
 */
const WRITTEN_AS_JSON: readonly string[] = [
  'duration',
  'seed',
  'generate_audio',
  'frame_images',
  'input_references',
  'provider',
  'metadata',
  'trace',
];

interface Part {
  readonly name: string;
  readonly isFile: boolean;
  readonly pieces: Buffer[];
}

export const isForm = (contentType = ''): boolean => /^\s*multipart\/form-data\s*(;|$)/i.test(contentType);

/**
 * The JSON that a form means, so that all code which judges, remembers and compares bodies sees JSON only. The boundary
 * is left out: a client that tries again chooses another.
 * @throws InvalidRequest
 */
export function jsonOfForm(body: Uint8Array, contentType: string | undefined): Buffer {
  const members: string[] = [];
  const groups = new Map<string, string[]>();
  for (const part of partsOf(body, readBoundary(contentType))) {
    const [, group, name] = /^([^[\]]+)\[([^[\]]+)\]$/.exec(part.name) ?? [];
    if (group === undefined || name === undefined) members.push(member(part.name, contentOf(part)));
    else groups.set(group, [...(groups.get(group) ?? []), member(name, textOf(part))]);
  }
  for (const [group, inner] of groups) members.push(`${JSON.stringify(group)}:{${inner.join(',')}}`);
  // A field that came twice is here twice, and the reader of the JSON refuses that.
  return Buffer.from(`{${members.join(',')}}`);
}

const member = (name: string, value: unknown): string => `${JSON.stringify(name)}:${JSON.stringify(value)}`;

function partsOf(body: Uint8Array, boundary: string): Part[] {
  const parts: Part[] = [];
  const scanner = new MultipartScanner(boundary);
  for (const event of scanner.push(Buffer.from(body.buffer, body.byteOffset, body.byteLength))) {
    if (event.kind === 'data') parts.at(-1)?.pieces.push(event.bytes);
    if (event.kind !== 'part') continue;
    if (parts.length === MOST_PARTS) throw new MalformedMultipart(`it has more than ${MOST_PARTS} parts`);
    const { name, filename } = readPartHeader(event.header);
    if (name.length > LONGEST_NAME) {
      throw new MalformedMultipart(`the name of a part has more than ${LONGEST_NAME} characters`);
    }
    parts.push({ name, isFile: filename !== undefined, pieces: [] });
  }
  scanner.end();
  return parts;
}

function contentOf(part: Part): unknown {
  if (part.name === IMAGE && part.isFile) return { image_url: inlineImage(part) };
  return WRITTEN_AS_JSON.includes(part.name) ? jsonOf(part) : textOf(part);
}

/** The image's bytes tell its type to whoever uses it; a data URL only has to name one. */
function inlineImage({ name, pieces }: Part): string {
  const bytes = Buffer.concat(pieces);
  if (bytes.length === 0) throw invalidField(name, 'the file is empty');
  return `data:image/unknown;base64,${bytes.toString('base64')}`;
}

function jsonOf(part: Part): unknown {
  const text = textOf(part);
  checkStructure(text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalidField(part.name, 'must be JSON', { cause });
  }
}

function textOf({ name, pieces }: Part): string {
  const bytes = Buffer.concat(pieces);
  const text = decoded(name, bytes);
  if (bytes.length > LONGEST_PROSE && CONTROL_CHARACTER.test(text)) {
    throw invalidField(name, `must have at most ${LONGEST_PROSE} bytes if it contains control characters`);
  }
  return text;
}

function decoded(name: string, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw invalidField(name, 'must be text in UTF-8', { cause });
  }
}
