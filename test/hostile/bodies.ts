import { gzipSync } from 'node:zlib';
import { strToU8, Zip, ZipPassThrough, zipSync } from 'fflate';

const MIB = 1024 * 1024;

/** Characters that have a meaning in some grammar here. */
export const STRUCTURAL = '\t\n "%*,-.:;<=[\\`a|';

/** JSON values that are costly to read for their length, each as an element of a list. */
export const JSON_ELEMENTS = [
  '0,',
  '1e1,',
  'true,',
  '"",',
  '"\\u0061",',
  '[],',
  '[0],',
  '[[]],',
  '{},',
  '{"":{}},',
  '{"__proto__":0},',
];

export const filled = (pattern: string, length = MIB): Buffer =>
  Buffer.alloc(length, Buffer.from(pattern, 'latin1'));

const numbered = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join('');
const CONTENT_TYPES = '[Content_Types].xml';
const EMPTY = new Uint8Array();
const packageOf = (contentTypes: string, parts: readonly string[] = ['word/document.xml']) =>
  Buffer.from(
    zipSync({
      [CONTENT_TYPES]: strToU8(contentTypes),
      ...Object.fromEntries(parts.map((name) => [name, EMPTY])),
    }),
  );
const declared = (count: number) =>
  `<Types>${numbered(count, (index) => `<Override PartName="/xl/worksheets/sheet${index}.xml" ContentType="application/xml"/>`)}</Types>`;

function namesakes(count: number): Buffer {
  const written: Uint8Array[] = [];
  const zip = new Zip((_, bytes) => written.push(bytes));
  for (let part = 0; part < count; part++) {
    const file = new ZipPassThrough(CONTENT_TYPES);
    zip.add(file);
    file.push(strToU8('<Types/>'), true);
  }
  zip.end();
  return Buffer.concat(written);
}

/** Part headers of 16 KiB, as many as a form may have. */
function formOf(disposition: string): Buffer {
  const header = `content-disposition: form-data; ${disposition}`;
  return Buffer.from(`${`--b\r\n${header}\r\n\r\n\r\n`.repeat(64)}--b--`, 'latin1');
}

function box(type: string, length = 8): Buffer {
  const header = Buffer.alloc(length);
  header.writeUInt32BE(length);
  header.write(type, 4, 'latin1');
  return header;
}

function pngOf(chunks: number): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from('tEXt'), Buffer.alloc(4)]);
  const signature = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1');
  return Buffer.concat([signature, Buffer.alloc(17), ...new Array<Buffer>(chunks).fill(chunk)]);
}

/** Bodies from 0.3 kB to 8 MiB that cost most to read for their length. Some once blocked a server for an hour. */
export const BODIES: Readonly<Record<string, () => Buffer>> = {
  'a long word in an element': () => Buffer.from(`<Override ${'a'.repeat(MIB)}>`),
  'a ZIP whose content types are a long word': () => packageOf(`<Override ${'a'.repeat(MIB - 16)}>`),
  'a ZIP whose content types are attributes': () => packageOf(`<Override ${'a="" '.repeat(MIB / 5 - 8)}/>`),
  'a ZIP whose content types are comments': () => packageOf('<!---->'.repeat(MIB / 8)),
  'a ZIP that declares 10,000 parts': () => packageOf(declared(10_000)),
  'a ZIP of 9,999 parts': () =>
    packageOf(
      declared(9998),
      Array.from({ length: 9998 }, (_, index) => `xl/worksheets/sheet${index}.xml`),
    ),
  'a ZIP of parts with the same name': () => namesakes(9000),
  'blanks between an equals sign and a quote': () => formOf(`!=${'\t'.repeat(16_000)}"`),
  'blanks before the end of a header': () => formOf(`name=x${' '.repeat(16_000)}y`),
  'a name of backslashes': () => formOf(`name="${'\\'.repeat(16_000)}"`),
  'letters without a digit': () => filled('a'),
  'addresses without a query': () => filled('http://'),
  'roles without an end': () => filled('arn:aws-'),
  'a list with one escape': () => Buffer.from(`{"\\u0061":[${'0,'.repeat(2 * MIB)}0]}`),
  'objects that name a prototype': () => Buffer.from(`{"a":[${'{"__proto__":0},'.repeat(MIB / 4)}0]}`),
  'a hundred thousand members': () => Buffer.from(`{${numbered(100_000, (n) => `"\\u0061${n}":0,`)}"a":0}`),
  'objects of ever new names': () => Buffer.from(`{"a":[${numbered(80_000, (n) => `{"a${n}":0},`)}0]}`),
  'ten thousand values': () => Buffer.from(`{"a":[${numbered(4_990, (n) => `{"${n}\\u0061":0},`)}0]}`),
  'open brackets': () => filled('[', 8 * MIB),
  'open objects': () => filled('{"":', 8 * MIB),
  quotes: () => filled('"', 8 * MIB),
  'quoted fields': () => filled('"",', 8 * MIB),
  'lines of commas': () => filled(',\n'),
  'marks of Markdown': () => filled(' **a `b [c'),
  'headers of ID3': () => filled('ID3\x04\0\0\0\0\0\0'),
  'pages of Ogg': () => filled(`OggS\0\x02${'\0'.repeat(21)}`),
  'empty boxes': () =>
    Buffer.concat([
      box('ftyp', 16),
      ...new Array<Buffer>(99_997).fill(box('free')),
      box('moov'),
      box('mdat'),
    ]),
  'empty tracks': () => Buffer.concat(new Array<Buffer>(MIB / 8).fill(box('trak'))),
  'tracks without a word': () => {
    const handler = box('hdlr', 20);
    const track = Buffer.concat([box('trak', 36).subarray(0, 8), box('mdia', 28).subarray(0, 8), handler]);
    return Buffer.concat(new Array<Buffer>(Math.floor(MIB / track.length)).fill(track));
  },
  'chunks of PNG': () => pngOf(80_000),
  'zeros, deflated': () => gzipSync(Buffer.alloc(64 * MIB)),
};
