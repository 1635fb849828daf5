import { type Box, boxesIn, child, fourCc, Mp4StructureError, uint } from './mp4-boxes.ts';

/** What the `moov` box of a file says. */
export interface MovieDescription {
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
export function describeMovie(body: Uint8Array): MovieDescription {
  const movie = boxesIn(body);
  const tracks = movie.filter(({ type }) => type === 'trak');
  if (tracks.length > MOST_TRACKS) throw new Mp4StructureError('It has too many tracks');
  const media = tracks.map(({ body: track }) => boxesIn(child(boxesIn(track), 'mdia')));
  const video = media.find((track) => handlerOf(track) === 'vide');
  if (video === undefined) throw new Mp4StructureError('It has no video track');
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
  if (entry === undefined) throw new Mp4StructureError('Its video track has no sample entry');
  const width = uint(entry.body, 24, 2);
  const height = uint(entry.body, 26, 2);
  const avcC = boxesIn(entry.body.subarray(VISUAL_ENTRY_FIELDS)).find(({ type }) => type === 'avcC');
  if (avcC === undefined) return { width, height, videoCodec: entry.type };
  const profile = uint(avcC.body, 1, 3).toString(16).toUpperCase().padStart(6, '0');
  return { width, height, videoCodec: `${entry.type}.${profile}` };
}
