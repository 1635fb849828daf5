import { promisify } from 'node:util';
import { crc32, inflateRaw } from 'node:zlib';
import type { Verdict } from './accepted-types.ts';
import { classifyPackage } from './content-types.ts';
import { inTurns } from './in-turns.ts';
import { readZipDirectory, type ZipEntry } from './zip-directory.ts';
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
export async function classifyZip(zip: ZipScanner): Promise<Verdict | undefined> {
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
