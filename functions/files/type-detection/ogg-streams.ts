import type { Verdict } from './accepted-types.ts';

const PAGE_HEADER_LENGTH = 27;
const BEGINNING_OF_STREAM = 0x02;

const AUDIO = new Map([
  ['\x01vorbis', 'Vorbis'],
  ['OpusHead', 'Opus'],
  ['Speex   ', 'Speex'],
  ['\x7fFLAC', 'FLAC'],
]);
/** Describes the other streams and has no content of its own. */
const SKELETON = 'fishead\0';
const NOT_AUDIO = new Map([
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
export function classifyOgg(head: Buffer): Verdict {
  let audioStreams = 0;
  for (const packet of firstPackets(head)) {
    if (startsWithOneOf(packet, AUDIO) !== undefined) audioStreams++;
    else if (!packet.startsWith(SKELETON)) {
      return { found: `Ogg with ${startsWithOneOf(packet, NOT_AUDIO) ?? 'an unknown codec'}` };
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
