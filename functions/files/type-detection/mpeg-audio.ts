import type { Verdict } from './accepted-types.ts';

const HEADER_LENGTH = 4;
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
export function classifyMpegAudio(head: Buffer, isWhole: boolean): Verdict | undefined {
  const start = head.findIndex((byte) => byte !== 0);
  if (start === -1 || !hasSync(head, start)) return undefined;
  const layer = layerOf(head, start);
  if (layer !== LAYER_3) return { found: LAYERS[layer] ?? 'MPEG audio' };
  const length = frameLength(head, start);
  if (length === undefined) return { found: 'MPEG audio of free format or with an invalid header' };
  const next = start + length;
  const isFollowed =
    (next === head.length && isWhole) || isSameKind(head, start, next) || startsTag(head.subarray(next));
  return isFollowed ? { mimeType: 'audio/mpeg' } : { found: 'incomplete or damaged MPEG audio' };
}

function hasSync(bytes: Buffer, at: number): boolean {
  return at + HEADER_LENGTH <= bytes.length && bytes[at] === 0xff && ((bytes[at + 1] ?? 0) & 0xe0) === 0xe0;
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
