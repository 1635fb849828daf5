import { HeadWindow } from '../../files/type-detection/byte-windows.ts';

interface Mp4Description extends MovieDescription {
  /** Whether `moov` comes before the media data, so that the file plays while it downloads. */
  readonly fastStart: boolean;
}

const FTYP_SMALLEST = 16;
const FTYP_LARGEST = 4096;
/** A list of the samples of ten minutes is shorter. */
const LONGEST_MOVIE = 1024 * 1024;
/** A fragmented file has two boxes for each fragment. No clip comes near this number; a flood of empty boxes does. */
const MOST_TOP_LEVEL_BOXES = 100_000;

/** Whether a file that begins with these bytes, at least 16 of them, begins as an MP4. */
export function looksLikeMp4(head: Uint8Array): boolean {
  if (head.length < FTYP_SMALLEST || fourCc(head, 4) !== 'ftyp') return false;
  const size = viewOf(head).getUint32(0);
  return size >= FTYP_SMALLEST && size <= FTYP_LARGEST && size % 4 === 0;
}

/**
 * Checks a file as it passes, in constant memory: `ftyp` first, then whole boxes to the end, with a `moov` and an
 * `mdat` among them. It notices a cut file without knowing the length.
 */
export class Mp4StreamCheck {
  readonly #header = new Uint8Array(LARGE_BOX_HEADER);
  #headerLength = 0;
  #bodyLeft = 0;
  #boxes = 0;
  /** The body of the first `moov`, or as much of it as is kept. */
  #movie: HeadWindow | undefined;
  #isInMovie = false;
  #hasMediaData = false;

  /** @throws Mp4StructureError as soon as the bytes so far cannot begin an MP4. */
  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      if (this.#bodyLeft > 0) {
        const step = Math.min(this.#bodyLeft, chunk.length - at);
        if (this.#isInMovie) this.#movie?.write(chunk.subarray(at, at + step));
        this.#bodyLeft -= step;
        at += step;
      } else {
        this.#header[this.#headerLength++] = chunk[at++] ?? 0;
        if (this.#headerLength % BOX_HEADER !== 0) continue;
        const header = readBoxHeader(this.#header, this.#headerLength);
        if (header !== undefined) this.#enter(header);
      }
    }
  }

  /** @throws Mp4StructureError when what was pushed is not a whole MP4. */
  end(): void {
    const withinBody = this.#bodyLeft > 0 && Number.isFinite(this.#bodyLeft);
    if (withinBody || this.#headerLength > 0) throw new Mp4StructureError('The file is incomplete');
    if (this.#movie === undefined) throw new Mp4StructureError('The required moov box is missing');
    if (!this.#hasMediaData) throw new Mp4StructureError('The required mdat box is missing');
  }

  /** What a whole file says about itself; nothing where that is damaged, or longer than what is kept. */
  describe(): Partial<MovieDescription> {
    try {
      return describeMovie(this.#movie?.bytes ?? new Uint8Array());
    } catch (error) {
      if (error instanceof Mp4StructureError) return {};
      throw error;
    }
  }

  #enter({ type, headerSize, size }: BoxHeader): void {
    if (++this.#boxes === 1 && type !== 'ftyp')
      throw new Mp4StructureError('The file does not begin like an MP4 file');
    if (this.#boxes > MOST_TOP_LEVEL_BOXES) throw new Mp4StructureError('The file has too many boxes');
    this.#isInMovie = type === 'moov' && this.#movie === undefined;
    if (this.#isInMovie) this.#movie = new HeadWindow(LONGEST_MOVIE);
    this.#hasMediaData ||= type === 'mdat';
    this.#headerLength = 0;
    this.#bodyLeft = size - headerSize;
  }
}

/**
 * Describes a whole file.
 * @throws Mp4StructureError when it is not a whole MP4 with a video track.
 */
export function describeMp4(file: Uint8Array): Mp4Description {
  if (!looksLikeMp4(file)) throw new Mp4StructureError('The file does not begin like an MP4 file');
  const check = new Mp4StreamCheck();
  check.push(file);
  check.end();
  const boxes = boxesIn(file, MOST_TOP_LEVEL_BOXES);
  const order = boxes.map(({ type }) => type);
  return {
    ...describeMovie(child(boxes, 'moov')),
    fastStart: order.indexOf('moov') < order.indexOf('mdat'),
  };
}

/** What the `moov` box of a file says. */
interface MovieDescription {
  /** Absent where the file does not say, as fragmented files may. */
  readonly durationSeconds?: number;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** As in RFC 6381: `avc1.42C01E`; only the code of the sample entry for codecs other than AVC. */
  readonly videoCodec: string;
  readonly hasAudio: boolean;
}

/** The fields of a VisualSampleEntry, up to the boxes in it. */
const VISUAL_ENTRY_FIELDS = 78;
const MOST_TRACKS = 16;

/** @param body of the `moov` box */
function describeMovie(body: Uint8Array): MovieDescription {
  const movie = boxesIn(body);
  const tracks = movie.filter(({ type }) => type === 'trak');
  if (tracks.length > MOST_TRACKS) throw new Mp4StructureError('The file has too many tracks');
  const media = tracks.map(({ body: track }) => boxesIn(child(boxesIn(track), 'mdia')));
  const video = media.find((track) => handlerOf(track) === 'vide');
  if (video === undefined) throw new Mp4StructureError('The file has no video track');
  const durationSeconds = durationOf(child(movie, 'mvhd'));
  return {
    ...(durationSeconds > 0 && { durationSeconds }),
    ...describeVideo(video),
    hasAudio: media.some((track) => handlerOf(track) === 'soun'),
  };
}

function handlerOf(media: readonly Box[]): string {
  return fourCc(child(media, 'hdlr'), 8);
}

/** In seconds, from `mvhd`, whose version 1 has 64-bit times; 0 where it does not say. */
function durationOf(header: Uint8Array): number {
  const large = uint(header, 0, 1) === 1;
  const timescale = uint(header, large ? 20 : 12, 4);
  const duration = large ? uint(header, 24, 8) : uint(header, 16, 4);
  // All ones mean that the duration is unknown; as a double, 2^64 - 1 is rounded up.
  const unknown = duration === (large ? 2 ** 64 : 2 ** 32 - 1);
  return timescale === 0 || unknown ? 0 : duration / timescale;
}

/** From the first VisualSampleEntry of the track. */
function describeVideo(media: readonly Box[]): Pick<MovieDescription, 'width' | 'height' | 'videoCodec'> {
  const table = boxesIn(child(boxesIn(child(media, 'minf')), 'stbl'));
  const [entry] = boxesIn(child(table, 'stsd').subarray(8));
  if (entry === undefined) throw new Mp4StructureError('The video track has no sample entry');
  const width = uint(entry.body, 24, 2);
  const height = uint(entry.body, 26, 2);
  const avcC = boxesIn(entry.body.subarray(VISUAL_ENTRY_FIELDS)).find(({ type }) => type === 'avcC');
  if (avcC === undefined) return { width, height, videoCodec: entry.type };
  const profile = uint(avcC.body, 1, 3).toString(16).toUpperCase().padStart(6, '0');
  return { width, height, videoCodec: `${entry.type}.${profile}` };
}

/**
 * What the boxes of an MP4 file (ISO/IEC 14496-12) tell of it. The bytes come from outside, so every length is checked
 * against what is there, and every walk only moves forward.
 */
export class Mp4StructureError extends Error {
  override readonly name = 'Mp4StructureError';
}

interface Box {
  readonly type: string;
  readonly body: Uint8Array;
}

const BOX_HEADER = 8;
const LARGE_BOX_HEADER = 16;
/** Writers put some dozens into a box, and each costs as much as reading a hundred bytes. */
const MOST_BOXES_IN_A_BOX = 1_000;

interface BoxHeader {
  readonly type: string;
  readonly headerSize: number;
  /** The size of the whole box; infinite for one that runs to the end. */
  readonly size: number;
}

/** The header at the start of `bytes`, of which `length` are there; undefined while it is not complete. */
function readBoxHeader(bytes: Uint8Array, length = bytes.length): BoxHeader | undefined {
  if (length < BOX_HEADER) return undefined;
  const view = viewOf(bytes);
  const type = fourCc(bytes, 4);
  const size = view.getUint32(0);
  if (size === 0) return { type, headerSize: BOX_HEADER, size: Number.POSITIVE_INFINITY };
  const headerSize = size === 1 ? LARGE_BOX_HEADER : BOX_HEADER;
  if (length < headerSize) return undefined;
  const header = { type, headerSize, size: size === 1 ? Number(view.getBigUint64(8)) : size };
  if (header.size < headerSize) throw new Mp4StructureError('A box is smaller than its own header');
  return header;
}

function boxesIn(bytes: Uint8Array, most = MOST_BOXES_IN_A_BOX): Box[] {
  const boxes: Box[] = [];
  let at = 0;
  for (;;) {
    const header = readBoxHeader(bytes.subarray(at));
    // The rest may be the four zero bytes with which QuickTime writers end a list.
    if (header === undefined) return boxes;
    if (boxes.length === most) throw new Mp4StructureError('The file has too many boxes');
    const end = Number.isFinite(header.size) ? at + header.size : bytes.length;
    if (end > bytes.length) {
      throw new Mp4StructureError(`The ${header.type} box extends beyond the end of its parent`);
    }
    boxes.push({ type: header.type, body: bytes.subarray(at + header.headerSize, end) });
    at = end;
  }
}

function child(boxes: readonly Box[], type: string): Uint8Array {
  const found = boxes.find((box) => box.type === type);
  if (found === undefined) throw new Mp4StructureError(`The required ${type} box is missing`);
  return found.body;
}

function uint(bytes: Uint8Array, at: number, length: number): number {
  if (at + length > bytes.length) throw new Mp4StructureError('A box is too short for its fields');
  let value = 0;
  for (const byte of bytes.subarray(at, at + length)) value = value * 256 + byte;
  return value;
}

function fourCc(bytes: Uint8Array, at: number): string {
  if (at + 4 > bytes.length) throw new Mp4StructureError('A box is too short for its fields');
  return String.fromCharCode(bytes[at] ?? 0, bytes[at + 1] ?? 0, bytes[at + 2] ?? 0, bytes[at + 3] ?? 0);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
