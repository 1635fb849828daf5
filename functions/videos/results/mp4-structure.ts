import { HeadWindow } from '../../files/type-detection/byte-windows.ts';
import {
  BOX_HEADER,
  type BoxHeader,
  boxesIn,
  child,
  fourCc,
  LARGE_BOX_HEADER,
  Mp4StructureError,
  readBoxHeader,
  viewOf,
} from './mp4-boxes.ts';
import { describeMovie, type MovieDescription } from './mp4-movie.ts';

export interface Mp4Description extends MovieDescription {
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
    if (withinBody || this.#headerLength > 0) throw new Mp4StructureError('It is cut short');
    if (this.#movie === undefined) throw new Mp4StructureError('It has no moov box');
    if (!this.#hasMediaData) throw new Mp4StructureError('It has no mdat box');
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
    if (++this.#boxes === 1 && type !== 'ftyp') throw new Mp4StructureError('It does not begin as an MP4');
    if (this.#boxes > MOST_TOP_LEVEL_BOXES) throw new Mp4StructureError('It has too many boxes');
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
  if (!looksLikeMp4(file)) throw new Mp4StructureError('It does not begin as an MP4');
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
