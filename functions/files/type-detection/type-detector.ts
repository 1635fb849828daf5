import { type DetectedType, type TypeVerdict, UnsupportedFileType } from './accepted-types.ts';
import { AfterId3, classifyMpegAudio, classifyOgg, id3TagLength } from './audio.ts';
import { HeadWindow, TailWindow } from './byte-windows.ts';
import {
  classifySignature,
  describeUnknown,
  hasControlBytes,
  isPdf,
  isPdfAfterJunk,
  isTextualPdf,
  nameByteOrderMark,
  PDF_SEARCH_LENGTH,
} from './file-signatures.ts';
import { classifyZip } from './office-package.ts';
import { TextClassifier } from './text-classifier.ts';
import { ZipScanner } from './zip-scanner.ts';

/** For signatures, the first frames of MP3, the first pages of Ogg and the look of a text. */
const HEAD_LENGTH = 64 * 1024;
/** Enough to know which of the probes to feed. */
const OPENING_LENGTH = 10;
const BYTE_ORDER_MARK = '\xef\xbb\xbf';
const ZIP_ENTRY = 'PK\x03\x04';

/**
 * Finds the type of a file from its bytes as they pass; no name and no declared type has a say. Memory is
 * bounded whatever the file: about 0.1 MiB, and up to 4 MiB for a ZIP or for deeply nested JSON.
 *
 * A file that is UTF-8 text from end to end is text, even when it begins like something else ("BM is for
 * bitmaps"); only a PDF can be both.
 */
export class TypeDetector {
  readonly #head = new HeadWindow(HEAD_LENGTH);
  readonly #tail = new TailWindow(PDF_SEARCH_LENGTH);
  readonly #text = new TextClassifier();
  #opening: Buffer | undefined = Buffer.alloc(0);
  #markLength = 0;
  #zip: ZipScanner | undefined;
  #afterId3: AfterId3 | undefined;

  /** Takes every byte of the file, in chunks of any size; does not keep or change them. */
  write(chunk: Uint8Array): void {
    // The same memory: a Buffer searches many times faster than a plain array.
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const isBeginning = !this.#head.isFull;
    this.#head.write(bytes);
    this.#tail.write(bytes);
    if (this.#opening === undefined) this.#feed(bytes, bytes);
    else if (this.#opening.length + bytes.length < OPENING_LENGTH) {
      this.#opening = Buffer.concat([this.#opening, bytes]);
    } else this.#start(this.#opening.length === 0 ? bytes : Buffer.concat([this.#opening, bytes]));
    if (isBeginning && this.#head.isFull) this.#text.leaveOutTables(this.#headText().toString('utf8'));
  }

  /**
   * Once, after the last byte.
   * @throws UnsupportedFileType
   */
  async end(): Promise<DetectedType> {
    if (this.#opening !== undefined) this.#start(this.#opening);
    const verdict = await this.#verdict();
    if ('found' in verdict) throw new UnsupportedFileType(verdict.found);
    return verdict;
  }

  #start(bytes: Buffer): void {
    this.#opening = undefined;
    const start = bytes.toString('latin1', 0, OPENING_LENGTH);
    if (start.startsWith(BYTE_ORDER_MARK)) this.#markLength = BYTE_ORDER_MARK.length;
    if (start.startsWith(ZIP_ENTRY)) this.#zip = new ZipScanner();
    if (id3TagLength(bytes) !== undefined) this.#afterId3 = new AfterId3();
    this.#feed(bytes, bytes.subarray(this.#markLength));
  }

  #feed(bytes: Buffer, text: Buffer): void {
    this.#text.write(text);
    this.#zip?.write(bytes);
    this.#afterId3?.write(bytes);
  }

  /** Without a byte order mark. */
  #headText(): Buffer {
    return this.#head.bytes.subarray(this.#markLength);
  }

  async #verdict(): Promise<TypeVerdict> {
    if (this.#tail.total === 0) return { found: 'an empty file' };
    if (!this.#text.isText()) return this.#classifyBinary();

    const text = this.#headText();
    if (isTextualPdf(text, this.#tail.bytes)) return { mimeType: 'application/pdf' };
    // Control characters do occur in text, but text with them *and* a signature is a binary file by chance.
    if (hasControlBytes(text) && (await classifySignature(text)) !== undefined) return this.#classifyBinary();
    return { mimeType: this.#text.kind(text.toString('utf8')) };
  }

  async #classifyBinary(): Promise<TypeVerdict> {
    const head = this.#head.bytes;
    const isWhole = this.#tail.total === head.length;
    if (this.#zip !== undefined) return (await classifyZip(this.#zip)) ?? nameForeignZip(head);
    if (this.#afterId3 !== undefined) return classifyTagged(this.#afterId3);
    if (head.toString('latin1', 0, 4) === 'OggS') return classifyOgg(head);
    if (isPdf(head)) return { mimeType: 'application/pdf' };

    const mark = nameByteOrderMark(head);
    if (mark !== undefined) return { found: mark };
    const known = classifyMpegAudio(head, isWhole) ?? (await classifySignature(head));
    if (known !== undefined) return known;
    if (isPdfAfterJunk(head, this.#tail.bytes)) return { mimeType: 'application/pdf' };
    return { found: describeUnknown(head, this.#text.hasNul) };
  }
}

/** Without content types of OOXML, it may be ODF, EPUB, JAR and the like. */
async function nameForeignZip(head: Buffer): Promise<TypeVerdict> {
  const verdict = await classifySignature(head);
  const isForeign = verdict !== undefined && 'found' in verdict && !verdict.found.includes('openxmlformats');
  return isForeign ? verdict : { found: 'application/zip' };
}

/** MP3, as a rule, but taggers put ID3 before FLAC and AAC, too. */
function classifyTagged({ bytes, isWhole }: AfterId3): TypeVerdict {
  if (bytes.toString('latin1', 0, 4) === 'fLaC') return { mimeType: 'audio/flac' };
  return classifyMpegAudio(bytes, isWhole) ?? { found: 'an ID3 tag without MP3 or FLAC after it' };
}
