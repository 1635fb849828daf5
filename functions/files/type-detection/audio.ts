import type { TypeVerdict } from './accepted-types.ts';
import { HeadWindow } from './byte-windows.ts';

const FRAME_HEADER_LENGTH = 4;
const KBIT_RATES_1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const KBIT_RATES_2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160];
const SAMPLE_RATES_1 = [44_100, 48_000, 32_000];
const LAYERS = ['AAC (ADTS)', 'MPEG audio Layer III', 'MPEG audio Layer II', 'MPEG audio Layer I'];
const LAYER_3 = 1;

/**
 * Decides about a stream that begins with the sync word of MPEG audio; `undefined` without one. It is an MP3
 * when a Layer III frame is followed, exactly where its header says, by another of the same kind, by an ID3v1
 * or APE tag or by the end of the file. Two bytes of sync alone are too common in other data. Padding of zeros
 * may come first. Free-format frames, which state no length, are not accepted.
 *
 * @param isWhole whether `head` reaches the end of the file
 */
export function classifyMpegAudio(head: Buffer, isWhole: boolean): TypeVerdict | undefined {
  const start = head.findIndex((byte) => byte !== 0);
  if (start === -1 || !hasSync(head, start)) return undefined;
  const layer = layerOf(head, start);
  if (layer !== LAYER_3) return { found: LAYERS[layer] ?? 'MPEG audio' };
  const length = frameLength(head, start);
  if (length === undefined) return { found: 'free-format MPEG audio, or MPEG audio with an invalid header' };
  const next = start + length;
  const isFollowed =
    (next === head.length && isWhole) || isSameKind(head, start, next) || startsTag(head.subarray(next));
  return isFollowed ? { mimeType: 'audio/mpeg' } : { found: 'incomplete or damaged MPEG audio' };
}

function hasSync(bytes: Buffer, at: number): boolean {
  return (
    at + FRAME_HEADER_LENGTH <= bytes.length && bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xe0) === 0xe0
  );
}

function layerOf(bytes: Buffer, at: number): number {
  return ((bytes[at + 1] ?? 0) >> 1) & 3;
}

/** In bytes, by the header of ISO 11172-3 (version 1), 13818-3 (2) or their extension (2.5). */
function frameLength(bytes: Buffer, at: number): number | undefined {
  const version = ((bytes[at + 1] ?? 0) >> 3) & 3;
  const rates = bytes[at + 2] ?? 0;
  const isVersion1 = version === 3;
  const kbitRate = (isVersion1 ? KBIT_RATES_1 : KBIT_RATES_2)[rates >> 4];
  const fullRate = SAMPLE_RATES_1[(rates >> 2) & 3];
  if (version === 1 || !kbitRate || fullRate === undefined) return undefined;
  const divisor = isVersion1 ? 1 : version === 2 ? 2 : 4;
  const padding = (rates >> 1) & 1;
  return Math.floor(((isVersion1 ? 144_000 : 72_000) * kbitRate) / (fullRate / divisor)) + padding;
}

/** Version, layer and sample rate stay the same through a stream; bit rate and padding may change. */
function isSameKind(bytes: Buffer, at: number, next: number): boolean {
  if (!hasSync(bytes, next) || frameLength(bytes, next) === undefined) return false;
  const isSameCodec = ((bytes[at + 1] ?? 0) & 0xfe) === ((bytes[next + 1] ?? 0) & 0xfe);
  return isSameCodec && ((bytes[at + 2] ?? 0) & 0x0c) === ((bytes[next + 2] ?? 0) & 0x0c);
}

function startsTag(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 3) === 'TAG' || bytes.toString('latin1', 0, 8) === 'APETAGEX';
}

const ID3_HEADER_LENGTH = 10;
/** Writers leave one, retaggers two; a file of nothing but tags must not cost more. */
const MOST_ID3_TAGS = 16;
/** Room for padding after the tag and for two frames of MP3 (at most 1,441 bytes each). */
const KEPT_AFTER_ID3 = 16 * 1024;

/**
 * The length of the ID3v2 tag that `bytes` begin with, header and footer included; `undefined` where there is
 * none. The size has seven bits a byte (id3.org, ID3v2.4 structure, 3.1).
 */
export function id3TagLength(bytes: Uint8Array): number | undefined {
  const [i, d, three, major = 0, , flags = 0, ...size] = bytes.subarray(0, ID3_HEADER_LENGTH);
  const isTag = i === 0x49 && d === 0x44 && three === 0x33 && major >= 2 && major <= 4;
  if (!isTag || size.length < 4 || size.some((byte) => byte > 0x7f)) return undefined;
  const hasFooter = (flags & 0x10) !== 0;
  const content = size.reduce((total, byte) => total * 128 + byte, 0);
  return ID3_HEADER_LENGTH + content + (hasFooter ? ID3_HEADER_LENGTH : 0);
}

/** Skips the ID3v2 tags that a stream begins with, megabytes of cover art included, and keeps what follows. */
export class AfterId3 {
  #content = new HeadWindow(KEPT_AFTER_ID3);
  #header = new HeadWindow(ID3_HEADER_LENGTH);
  #tags = 0;
  #toSkip = 0;
  #size = 0;

  /** What follows the last tag. */
  get bytes(): Buffer {
    return this.#content.bytes;
  }

  /** Whether `bytes` reach the end of the file. */
  get isWhole(): boolean {
    return this.#size === this.#content.bytes.length;
  }

  write(chunk: Uint8Array): void {
    let rest = chunk;
    while (rest.length > 0) {
      const skipped = Math.min(this.#toSkip, rest.length);
      this.#toSkip -= skipped;
      rest = rest.subarray(skipped);
      rest = this.#header.isFull ? this.#keep(rest) : this.#readHeader(rest);
    }
  }

  #keep(bytes: Uint8Array): Uint8Array {
    this.#content.write(bytes);
    this.#size += bytes.length;
    return bytes.subarray(bytes.length);
  }

  #readHeader(bytes: Uint8Array): Uint8Array {
    const taken = bytes.subarray(0, ID3_HEADER_LENGTH - this.#header.bytes.length);
    this.#header.write(taken);
    this.#keep(taken);
    const tagLength = this.#header.isFull ? id3TagLength(this.#header.bytes) : undefined;
    if (tagLength !== undefined && this.#tags++ < MOST_ID3_TAGS) {
      this.#toSkip = tagLength - ID3_HEADER_LENGTH;
      this.#header = new HeadWindow(ID3_HEADER_LENGTH);
      this.#content = new HeadWindow(KEPT_AFTER_ID3);
      this.#size = 0;
    }
    return bytes.subarray(taken.length);
  }
}

const PAGE_HEADER_LENGTH = 27;
const BEGINNING_OF_STREAM = 0x02;

const AUDIO_CODECS = new Map([
  ['\x01vorbis', 'Vorbis'],
  ['OpusHead', 'Opus'],
  ['Speex   ', 'Speex'],
  ['\x7fFLAC', 'FLAC'],
]);
/** Describes the other streams and has no content of its own. */
const SKELETON = 'fishead\0';
const OTHER_CODECS = new Map([
  ['\x80theora', 'Theora video'],
  ['\x01video', 'OGM video'],
  ['BBCD', 'Dirac video'],
  ['OVP80', 'VP8 video'],
  ['\x80kate', 'Kate subtitles'],
]);

/**
 * Decides about an Ogg file by the codec of every logical stream in it. Each begins with a page of its own,
 * and all these pages come before any other (RFC 3533, 4), so the head of the file shows them.
 */
export function classifyOgg(head: Buffer): TypeVerdict {
  let audioStreams = 0;
  for (const packet of firstPackets(head)) {
    if (startsWithOneOf(packet, AUDIO_CODECS) !== undefined) audioStreams++;
    else if (!packet.startsWith(SKELETON)) {
      return { found: `Ogg with ${startsWithOneOf(packet, OTHER_CODECS) ?? 'an unknown codec'}` };
    }
  }
  return audioStreams > 0 ? { mimeType: 'audio/ogg' } : { found: 'Ogg without an audio stream' };
}

/** The first bytes of each stream's first packet, as Latin-1. */
function* firstPackets(head: Buffer): Generator<string> {
  let page = 0;
  while (page + PAGE_HEADER_LENGTH < head.length && head.toString('latin1', page, page + 4) === 'OggS') {
    if (((head[page + 5] ?? 0) & BEGINNING_OF_STREAM) === 0) return;
    const segments = head[page + 26] ?? 0;
    const body = page + PAGE_HEADER_LENGTH + segments;
    yield head.toString('latin1', body, body + 8);
    const bodyLength = head
      .subarray(page + PAGE_HEADER_LENGTH, body)
      .reduce((sum, length) => sum + length, 0);
    page = body + bodyLength;
  }
}

function startsWithOneOf(packet: string, codecs: ReadonlyMap<string, string>): string | undefined {
  for (const [magic, codec] of codecs) if (packet.startsWith(magic)) return codec;
  return undefined;
}
