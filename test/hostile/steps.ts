import { Readable } from 'node:stream';
import { createContext, runInContext } from 'node:vm';
import { fileTypeFromBuffer } from 'file-type';
import * as v from 'valibot';
import { destinationSchema } from '../../functions/broadcast/destination.ts';
import { rejectsSpan } from '../../functions/broadcast/post-span.ts';
import { checkUrl } from '../../functions/egress/url-policy.ts';
import { checkedFilename, FILE_ID } from '../../functions/files/file.ts';
import { listQuery } from '../../functions/files/file-requests.ts';
import { AfterId3, classifyMpegAudio, classifyOgg } from '../../functions/files/type-detection/audio.ts';
import { CsvWalker } from '../../functions/files/type-detection/csv-walker.ts';
import {
  classifySignature,
  describeUnknown,
  hasControlBytes,
  isPdfAfterJunk,
  isTextualPdf,
} from '../../functions/files/type-detection/file-signatures.ts';
import { JsonWalker } from '../../functions/files/type-detection/json-walker.ts';
import { isMarkdown } from '../../functions/files/type-detection/markdown-score.ts';
import { classifyPackage, inTurns } from '../../functions/files/type-detection/office-package.ts';
import { isLaidOutAsTable } from '../../functions/files/type-detection/text-classifier.ts';
import { TypeDetector } from '../../functions/files/type-detection/type-detector.ts';
import { readZipDirectory } from '../../functions/files/type-detection/zip-directory.ts';
import { claimedDigests } from '../../functions/files/upload/claimed-digests.ts';
import { readBoundary, readPartHeader } from '../../functions/files/upload/multipart-headers.ts';
import { MultipartScanner } from '../../functions/files/upload/multipart-scanner.ts';
import { requestId } from '../../functions/http/headers.ts';
import { parseJsonBody } from '../../functions/http/json-body.ts';
import { timestamp } from '../../functions/http/validation.ts';
import { isWellFormedKey } from '../../functions/keys/key-format.ts';
import { redactText } from '../../functions/telemetry/redaction.ts';
import { retryAfter } from '../../functions/upstream/reply.ts';
import { presentable } from '../../functions/upstream/upstream-error.ts';
import { videoRequestSchema } from '../../functions/videos/catalogue/video-request.ts';
import { jsonOfForm } from '../../functions/videos/dialect/openai-submit.ts';
import { inputSource } from '../../functions/videos/inputs/input-source.ts';
import { smallPicture } from '../../functions/videos/providers/sandbox/input-picture.ts';
import { Mp4StreamCheck } from '../../functions/videos/results/mp4-structure.ts';
import { LONGEST_ANSWER } from '../../functions/webhooks/delivery/post-event.ts';
import { checkedCallbackUrl } from '../../functions/webhooks/settings/callback-url.ts';
import { edgeProgram } from '../../lib/edge/program.ts';
import { readForm } from './read-form.ts';

/** Parses outside bytes as far as a reader would. It may refuse them. */
export type Step = (bytes: Buffer) => unknown;

const CHUNK = 64 * 1024;
const LONGEST_PART_HEADER = 16 * 1024;
/** Node.js refuses requests whose headers, including address and query, are longer. */
const LONGEST_HEADER = 16 * 1024;
/** The length of `\u001f`. */
const LONGEST_ESCAPE = 6;
/** How much of a file's beginning a type detector keeps. */
const LONGEST_HEAD = 64 * 1024;

function* pieces(bytes: Buffer, length = CHUNK): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const overText = (read: (text: string) => unknown): Step => {
  return (bytes) => read(bytes.toString('latin1'));
};

/** Reads all bytes in pieces, each as the header of another request. */
const overHeaders = (read: (text: string) => unknown, prefix = ''): Step => {
  return (bytes) => {
    for (const piece of pieces(bytes, LONGEST_HEADER))
      orRefuse(() => read(prefix + piece.toString('latin1')));
  };
};

const overHeads = (read: (head: Buffer) => unknown): Step => {
  return async (bytes) => {
    for (const head of pieces(bytes, LONGEST_HEAD)) await read(head);
  };
};

function orRefuse(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) throw error;
  }
}

function push(walker: { write(chunk: Buffer): unknown }): Step {
  return (bytes) => {
    for (const chunk of pieces(bytes)) walker.write(chunk);
  };
}

const afterPrefix = (prefix: string, step: (walked: Buffer) => unknown): Step => {
  return (bytes) => step(Buffer.concat([Buffer.from(prefix, 'latin1'), bytes]));
};

async function detect(bytes: Buffer): Promise<unknown> {
  const detector = new TypeDetector();
  for (const chunk of pieces(bytes)) detector.write(chunk);
  return detector.end();
}

const form = (chunks: Iterable<Buffer>): Promise<unknown> => readForm(Readable.from(chunks));

const FILE_PART = Buffer.from('--b\r\ncontent-disposition: form-data; name=file; filename=x\r\n\r\n');

function scan(bytes: Buffer): void {
  const scanner = new MultipartScanner('-'.repeat(70));
  for (const chunk of pieces(bytes)) for (const event of scanner.push(chunk)) void event;
}

const TEXT_PART = '--b\r\ncontent-disposition: form-data; name=';
const END_OF_FORM = Buffer.from('\r\n--b--');
const submitForm = (bytes: Buffer) =>
  jsonOfForm(Buffer.concat([bytes, END_OF_FORM]), 'multipart/form-data; boundary=b');

/** The edge's function, as CloudFront runs it. */
const edgeFunction: (event: unknown) => unknown = runInContext(
  `${edgeProgram()}\nhandler`,
  createContext({ cf: { selectRequestOriginById: () => undefined } }),
);
const headOf = (value: string) => ({
  context: { requestId: 'id' },
  request: {
    method: 'POST',
    uri: '/api/v1/files',
    headers: { host: { value }, 'content-length': { value } },
  },
});

const FORM = `--${'-'.repeat(70)}\r\n`;
const NO_HOSTS: ReadonlySet<string> = new Set();
const filled = (url: string) => ({
  model: url,
  prompt: url,
  size: url,
  callback_url: url,
  frame_images: [{ type: 'image_url', frame_type: 'first_frame', image_url: { url } }],
});

export const STEPS: Readonly<Record<string, Step>> = {
  'a part header': (bytes) => {
    for (const piece of pieces(bytes, LONGEST_PART_HEADER)) orRefuse(() => readPartHeader(piece));
  },
  "a part's disposition": overHeaders(
    (text) => readPartHeader(Buffer.from(text)),
    'content-disposition: form-data; ',
  ),
  "a part's file name": overHeaders(
    (text) => readPartHeader(Buffer.from(`${text}"`)),
    'content-disposition: form-data; name="file"; filename="',
  ),
  "a part's file name in RFC 5987": overHeaders(
    (text) => readPartHeader(Buffer.from(text)),
    "content-disposition: form-data; name=file; filename*=UTF-8''",
  ),
  'a file name': overHeaders(checkedFilename),
  'a digest of a file': overHeaders((text) => claimedDigests(new Map([['content-md5', text]]))),
  'digests of a file': overHeaders((text) => claimedDigests(new Map([['digest', text]])), 'a=b,'),
  'a boundary': overHeaders(readBoundary, 'multipart/form-data; boundary='),
  'a form': (bytes) => form(pieces(bytes)),
  'a form with a file': (bytes) => form([FILE_PART, ...pieces(bytes)]),
  'a multipart body': (bytes) => scan(bytes),
  'a form of a submit': (bytes) => submitForm(bytes),
  'a text in the form of a submit': afterPrefix(`${TEXT_PART}prompt\r\n\r\n`, submitForm),
  'JSON in the form of a submit': afterPrefix(`${TEXT_PART}metadata\r\n\r\n`, submitForm),
  'an image in the form of a submit': afterPrefix(
    `${TEXT_PART}input_reference; filename=x\r\n\r\n`,
    submitForm,
  ),
  'the header of a part': afterPrefix(FORM, (bytes) => scan(bytes)),
  'a part': afterPrefix(`${FORM}\r\n`, (bytes) => scan(bytes)),
  'a file': detect,
  'a file that begins as a ZIP': afterPrefix('PK\x03\x04', detect),
  'a file that begins as an MP3': afterPrefix('ID3\x04\0\0\0\0\0\0', detect),
  'a file that begins as Ogg': afterPrefix('OggS\0\x02', detect),
  'a ZIP directory': (bytes) => inTurns(readZipDirectory(bytes, bytes.length)),
  'content types': overText((xml) => inTurns(classifyPackage(xml, ['word/document.xml']))),
  'an attribute of content types': overText((xml) => inTurns(classifyPackage(`<Override ${xml}/>`, []))),
  'JSON as a file': (bytes) => push(new JsonWalker())(bytes),
  'a list in JSON as a file': afterPrefix('[', (bytes) => push(new JsonWalker())(bytes)),
  'a text in JSON as a file': afterPrefix('["', (bytes) => push(new JsonWalker())(bytes)),
  'commas as a file': (bytes) => push(new CsvWalker(','))(bytes),
  'the layout of a table': overHeads((head) => isLaidOutAsTable(head.toString('latin1'), ',')),
  Markdown: overHeads((head) => isMarkdown(head.toString('latin1'))),
  'what follows ID3': (bytes) => push(new AfterId3())(bytes),
  'MPEG audio': overHeads((head) => classifyMpegAudio(head, false)),
  Ogg: overHeads(classifyOgg),
  PDF: overHeads((head) => isPdfAfterJunk(head, head) || isTextualPdf(head, head)),
  'a signature': overHeads(classifySignature),
  'unknown bytes': overHeads((head) => describeUnknown(head, hasControlBytes(head))),
  'an input of a video': (bytes) => fileTypeFromBuffer(bytes),
  'a frame as a PNG': (bytes) => smallPicture({ mediaType: 'image/png', bytes }),
  'a frame as a JPEG': afterPrefix('\xff\xd8', (bytes) => smallPicture({ mediaType: 'image/jpeg', bytes })),
  'an MP4': (bytes) => {
    const check = new Mp4StreamCheck();
    for (const chunk of pieces(bytes)) check.push(chunk);
  },
  'an MP4, after its type': afterPrefix('\0\0\0\x10ftypisom\0\0\0\0', (bytes) =>
    new Mp4StreamCheck().push(bytes),
  ),
  'what an MP4 says of itself': (bytes) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(8 + bytes.length);
    const check = new Mp4StreamCheck();
    check.push(Buffer.concat([Buffer.from('\0\0\0\x10ftypisom\0\0\0\0'), size, Buffer.from('moov'), bytes]));
    check.describe();
  },
  'a JSON body': (bytes) => parseJsonBody(bytes, 'application/json', bytes.length),
  'a list in a JSON body': (bytes) => {
    const body = Buffer.concat([Buffer.from('{"\\u0061":['), bytes, Buffer.from(']}')]);
    return parseJsonBody(body, 'application/json', body.length);
  },
  'a text in a JSON body': (bytes) => {
    const body = Buffer.from(
      JSON.stringify({ a: bytes.toString('latin1', 0, bytes.length / LONGEST_ESCAPE) }),
    );
    return parseJsonBody(body, 'application/json', body.length);
  },
  'the type of a JSON body': overHeaders((type) => parseJsonBody(Buffer.from('{}'), type)),
  'the fields of a submit': overText((text) =>
    Object.entries(filled(text)).map(([name, value]) => v.safeParse(videoRequestSchema, { [name]: value })),
  ),
  'an inline image': overText((text) => v.is(videoRequestSchema, filled(`data:image/png;base64,${text}`))),
  "a vendor's error": overText((text) => presentable(text)),
  'the log': overText(redactText),
  'a pause that is asked for': overHeaders((header) => retryAfter(header, new Date(0))),
  'an address': overText((url) => orRefuse(() => checkUrl(url, NO_HOSTS))),
  'an address of a host': overHeaders((host) => checkUrl(`https://${host.slice(0, 2000)}`, NO_HOSTS)),
  'a callback address': overHeaders((url) =>
    checkedCallbackUrl(url.slice(0, 2048), 'callback_url', NO_HOSTS),
  ),
  'the headers of a destination': overText((text) => [
    v.safeParse(destinationSchema, { url: '', headers: { [text]: 'value' } }),
    v.safeParse(destinationSchema, { url: '', headers: { name: text } }),
  ]),
  'the answer of a collector': (bytes) =>
    rejectsSpan({ headers: new Headers(), body: bytes.subarray(0, LONGEST_ANSWER) }),
  'a source of bytes': overText(inputSource),
  'a cursor': overHeaders((cursor) => listQuery({ query: { cursor } }, FILE_ID)),
  'a page size': overHeaders((limit) => listQuery({ query: { limit } }, FILE_ID)),
  'a time': overHeaders((text) => v.is(timestamp, text)),
  'a key': overHeaders(isWellFormedKey),
  'a request id': overHeaders((id) => requestId(id, 'ours')),
  'the edge': overHeaders((value) => edgeFunction(headOf(value))),
};
