import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import { type AcceptedMimeType, OOXML_TYPES, type TypeVerdict } from './accepted-types.ts';
import { MOST_ZIP_ENTRIES, readZipDirectory, type ZipEntry } from './zip-directory.ts';
import { CONTENT_TYPES_NAME, type ZipScanner } from './zip-scanner.ts';

/** Of `[Content_Types].xml`, the only entry that is ever inflated. It has about 100 bytes for each entry of the package. */
const LONGEST_CONTENT_TYPES = 1024 * 1024;
const STORED = 0;
const DEFLATED = 8;
/** On a thread of its own. */
const inflate = promisify(inflateRaw);
const UTF_16 = new Map([
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
]);

/** Decides about a ZIP that passed whole; `undefined` for one that does not claim to be an OPC package. */
export async function classifyZip(zip: ZipScanner): Promise<TypeVerdict | undefined> {
  const entries = await inTurns(readZipDirectory(zip.tail.bytes, zip.tail.total));
  if (entries === undefined) return { found: 'a ZIP archive that is damaged or has too many entries' };
  const [contentTypes, ...others] = entries.filter(({ name }) => name === CONTENT_TYPES_NAME);
  if (contentTypes === undefined) return undefined;
  // Readers differ in which of two they take.
  const xml = others.length === 0 ? await readContentTypes(zip, contentTypes) : undefined;
  if (xml === undefined) return { found: `a ZIP archive whose ${CONTENT_TYPES_NAME} cannot be read` };
  const parts = entries.filter((entry) => entry !== contentTypes).map(({ name }) => name);
  return inTurns(classifyPackage(xml, parts));
}

async function readContentTypes(zip: ZipScanner, entry: ZipEntry): Promise<string | undefined> {
  if (entry.isEncrypted || entry.size > LONGEST_CONTENT_TYPES) return undefined;
  const data = zip.entryData(entry.headerOffset, entry.compressedSize);
  const content = data === undefined ? undefined : await decompress(data, entry.method);
  if (content === undefined || content.length !== entry.size || crc32(content) !== entry.crc32)
    return undefined;
  return decode(content);
}

async function decompress(data: Buffer, method: number): Promise<Buffer | undefined> {
  if (method === STORED) return data;
  if (method !== DEFLATED) return undefined;
  try {
    return await inflate(data, { maxOutputLength: LONGEST_CONTENT_TYPES });
  } catch {
    // Damaged, or more than it says: a refusal in either case.
    return undefined;
  }
}

/** OPC allows UTF-16 with a byte order mark besides UTF-8. */
function decode(content: Buffer): string {
  const mark = content.toString('latin1', 0, 2);
  return new TextDecoder(UTF_16.get(mark) ?? 'utf-8').decode(content);
}

/** Main parts' types without macros. Strict and transitional OOXML share them (ISO/IEC 29500-1, 11.3.10 ff.). */
const MAIN_TYPES = new Map<string, AcceptedMimeType>(
  Object.values(OOXML_TYPES).map((type) => [`${type}.main+xml`, type]),
);
/**
 * Macros by the type or the name of their part. Excel's old macro sheets (XLM) have types of their own (MS-OFFMACRO2).
 */
const MACRO_TYPE = /^application\/vnd\.ms-(?:office\.vbaproject|excel\.(?:intl)?macrosheet)/;
const MACRO_PART = /\/vba(?:project|data)[^/]*$/;
const OTHER_MAIN_TYPE = /\.main(?:\+xml)?$/;
/** Twice as many as there can be parts to declare; a mebibyte of nothing but tags has ten times that. */
const MOST_TAGS = 2 * MOST_ZIP_ENTRIES;

/**
 * Decides about an Office Open XML package by its `[Content_Types].xml` (ISO/IEC 29500-2, 7.2.3): it must
 * declare one main part, of an accepted type, and that part must be in the package. No part may hold macros, also if
 * none is declared: some readers go by the names of parts.
 *
 * @param parts the names of the package's other entries, which OPC compares without regard to case
 */
export function* classifyPackage(xml: string, parts: readonly string[]): Generator<void, TypeVerdict> {
  const { overrides, defaults } = yield* readDeclarations(xml);
  const found = new Set<string>();
  for (const name of parts) {
    yield;
    const part = `/${name.toLowerCase()}`;
    const type = overrides.get(part) ?? defaults.get(part.slice(part.lastIndexOf('.') + 1));
    if (MACRO_PART.test(part) || MACRO_TYPE.test(type?.toLowerCase() ?? ''))
      return { found: 'an Office Open XML package with macros' };
    if (type !== undefined && OTHER_MAIN_TYPE.test(type)) found.add(type);
  }
  const [mainType] = found;
  if (mainType === undefined)
    return { found: 'an Open Packaging Conventions package without a main document' };
  if (found.size > 1) return { found: 'an Office Open XML package with several main documents' };
  const mimeType = MAIN_TYPES.get(mainType);
  return mimeType === undefined ? { found: mainType.replace(OTHER_MAIN_TYPE, '') } : { mimeType };
}

interface Declarations {
  readonly overrides: Map<string, string>;
  readonly defaults: Map<string, string>;
}

function* readDeclarations(xml: string): Generator<void, Declarations> {
  const overrides = new Map<string, string>();
  const defaults = new Map<string, string>();
  let tags = 0;
  for (const tag of startTags(xml)) {
    if (++tags > MOST_TAGS) return { overrides: new Map(), defaults: new Map() };
    yield;
    const { name, attributes } = tag ?? {};
    if (attributes === undefined || (name !== 'Override' && name !== 'Default')) continue;
    const type = attributes.get('ContentType');
    const key = attributes.get(name === 'Override' ? 'PartName' : 'Extension');
    if (type === undefined || key === undefined) continue;
    (name === 'Override' ? overrides : defaults).set(key.toLowerCase(), type);
  }
  return { overrides, defaults };
}

export interface StartTag {
  /** Without the prefix of its namespace. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

const COMMENT = '<!--';
const END_OF_COMMENT = '-->';
const NAME = /<(?:[\w.-]+:)?([\w.-]+)/y;
const ATTRIBUTE = /\s+([\w:.-]{1,64})\s*=\s*(?:"([^<"]*)"|'([^<']*)')/y;
const END = /\s*\/?>/y;

/** Known ones have two, and the root one for each namespace. */
const MOST_ATTRIBUTES = 16;

/**
 * The start tags of an XML text that are well-formed; `undefined` for whatever else begins with `<`, so that who
 * reads a hostile text hears of it as often.
 *
 * No run that an expression takes goes past the next `<`, which is where the next tag is looked for, and each
 * is tried at one place: so every character is looked at a few times at most, however hostile the text.
 */
export function* startTags(xml: string): Generator<StartTag | undefined> {
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', at)) {
    if (xml.startsWith(COMMENT, at)) {
      at = xml.indexOf(END_OF_COMMENT, at + COMMENT.length);
      if (at === -1) return;
      yield undefined;
    } else yield readStartTag(xml, at++);
  }
}

function readStartTag(xml: string, start: number): StartTag | undefined {
  NAME.lastIndex = start;
  const name = NAME.exec(xml)?.[1];
  if (name === undefined) return undefined;
  const attributes = new Map<string, string>();
  let end = NAME.lastIndex;
  for (let count = 0; count < MOST_ATTRIBUTES; count++) {
    ATTRIBUTE.lastIndex = end;
    const attribute = ATTRIBUTE.exec(xml);
    if (attribute === null) break;
    const [, key = '', inDouble, inSingle] = attribute;
    attributes.set(key, inDouble ?? inSingle ?? '');
    end = ATTRIBUTE.lastIndex;
  }
  END.lastIndex = end;
  return END.test(xml) ? { name, attributes } : undefined;
}

/** Each takes microseconds: all of them, less than two milliseconds. */
export const STEPS_A_TURN = 500;

/** Does work that yields after each small step, and lets others have their turn in between: one thread serves many uploads. */
export async function inTurns<Result>(work: Generator<void, Result>): Promise<Result> {
  for (;;) {
    for (let step = 0; step < STEPS_A_TURN; step++) {
      const { done, value } = work.next();
      if (done === true) return value;
    }
    await setImmediate();
  }
}
