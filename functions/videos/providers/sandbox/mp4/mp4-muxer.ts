import { ascii, box, fullBox, uint16, uint32, zeros } from './mp4-boxes.ts';
import { MOVIE_TIMESCALE, silentTrack, UNITY_MATRIX, type VideoTrack, videoTrack } from './mp4-tracks.ts';
import { SILENT_AAC, silentFrameCount } from './silent-aac.ts';

export interface Mp4Sample {
  /** One access unit, its NAL units after their lengths. */
  readonly bytes: Uint8Array;
  readonly key: boolean;
}

export interface Mp4Movie extends Pick<VideoTrack, 'width' | 'height' | 'fps' | 'sps' | 'pps'> {
  readonly samples: readonly Mp4Sample[];
  readonly silentAudio: boolean;
}

const BOX_HEADER_BYTES = 8;

/**
 * An MP4 file in pieces, `moov` first, so that it plays while it downloads. The samples are handed on as
 * they are and not copied together. Sound comes before the pictures: it is a few kilobytes, and a player
 * then has all of it when the first picture arrives.
 */
export function* muxMp4(movie: Mp4Movie): Generator<Uint8Array> {
  const audioFrames = movie.silentAudio ? silentFrameCount(movie.samples.length / movie.fps) : 0;
  const audio = repeat(SILENT_AAC.frame, audioFrames);
  const sampleSizes = movie.samples.map(({ bytes }) => bytes.length);
  const keySamples = movie.samples.flatMap(({ key }, i) => (key ? [i + 1] : []));
  const video: VideoTrack = { ...movie, sampleSizes, keySamples };

  const ftyp = box('ftyp', ascii('isom'), uint32(0x200), ascii('isomiso2avc1mp41'));
  // The size of moov does not depend on the offsets in it, but the offsets depend on its size.
  const moovSize = movieBox(video, audioFrames, 0, 0).length;
  const audioOffset = ftyp.length + moovSize + BOX_HEADER_BYTES;
  const moov = movieBox(video, audioFrames, audioOffset, audioOffset + audio.length);
  const mdatSize = sampleSizes.reduce((total, size) => total + size, BOX_HEADER_BYTES + audio.length);

  yield Buffer.concat([ftyp, moov, uint32(mdatSize), ascii('mdat'), audio]);
  for (const { bytes } of movie.samples) yield bytes;
}

function movieBox(
  video: VideoTrack,
  audioFrames: number,
  audioOffset: number,
  videoOffset: number,
): Uint8Array {
  const duration = Math.round((video.sampleSizes.length / video.fps) * MOVIE_TIMESCALE);
  const header = fullBox(
    'mvhd',
    0,
    uint32(0, 0, MOVIE_TIMESCALE, duration, 0x10000), // creation, modification, …, rate 1.0
    uint16(0x100, 0), // volume 1.0
    zeros(8),
    UNITY_MATRIX,
    zeros(24),
    uint32(3), // next_track_ID
  );
  const tracks = [videoTrack(video, videoOffset)];
  if (audioFrames > 0) tracks.push(silentTrack(audioFrames, audioOffset));
  return box('moov', header, ...tracks);
}

function repeat(frame: Uint8Array, count: number): Uint8Array {
  const bytes = new Uint8Array(frame.length * count);
  for (let i = 0; i < count; i++) bytes.set(frame, i * frame.length);
  return bytes;
}
