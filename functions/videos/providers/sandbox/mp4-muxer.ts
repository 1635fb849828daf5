/** A constant silent stereo track in AAC-LC (ISO/IEC 14496-3), one frame repeated. */
const SILENT_AAC = {
  sampleRate: 44_100,
  channels: 2,
  samplesPerFrame: 1024,
  /** AudioSpecificConfig: object type 2 (AAC-LC), frequency index 4 (44.1 kHz), channel configuration 2. */
  audioSpecificConfig: Uint8Array.of(0x12, 0x10),
  /** raw_data_block: one channel pair element whose spectra are all zero, then END. */
  frame: Uint8Array.of(0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80),
};

/** As many whole frames as fit, so that sound never makes a clip longer than its pictures. */
function silentFrameCount(seconds: number): number {
  return Math.max(1, Math.floor((seconds * SILENT_AAC.sampleRate) / SILENT_AAC.samplesPerFrame));
}

export interface Mp4Sample {
  /** One access unit, its NAL units after their lengths. */
  readonly bytes: Uint8Array;
  readonly key: boolean;
}

interface Mp4Movie extends Pick<VideoTrack, 'width' | 'height' | 'fps' | 'sps' | 'pps'> {
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

/** Ticks a second in `mvhd` and `tkhd`. */
const MOVIE_TIMESCALE = 1000;
/** The identity transformation of `mvhd` and `tkhd`. */
const UNITY_MATRIX = uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

const TICKS_PER_FRAME = 1000;
const TRACK_ENABLED_IN_MOVIE = 3;
const LANGUAGE_UNDETERMINED = 0x55c4;
const FULL_VOLUME = 0x100;
const DPI_72 = 0x480000;

interface VideoTrack {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  readonly sps: Uint8Array;
  readonly pps: Uint8Array;
  readonly sampleSizes: readonly number[];
  /** Counted from 1, as `stss` does. */
  readonly keySamples: readonly number[];
}

/** What the two kinds of track have in common; all samples of a track lie in one chunk. */
interface Track {
  readonly id: number;
  readonly seconds: number;
  readonly timescale: number;
  readonly ticksPerSample: number;
  readonly sampleCount: number;
  readonly chunkOffset: number;
  readonly handler: 'vide' | 'soun';
  readonly volume: number;
  readonly width: number;
  readonly height: number;
  readonly mediaHeader: Uint8Array;
  readonly sampleEntry: Uint8Array;
  readonly sampleSizes: Uint8Array;
  readonly syncSamples: readonly Uint8Array[];
}

/** `trak` of an AVC video whose samples start at `chunkOffset` in the file. */
function videoTrack(video: VideoTrack, chunkOffset: number): Uint8Array {
  const sampleCount = video.sampleSizes.length;
  return track({
    id: 1,
    seconds: sampleCount / video.fps,
    timescale: video.fps * TICKS_PER_FRAME,
    ticksPerSample: TICKS_PER_FRAME,
    sampleCount,
    chunkOffset,
    handler: 'vide',
    volume: 0,
    width: video.width,
    height: video.height,
    mediaHeader: fullBox('vmhd', 1, zeros(8)),
    sampleEntry: avcSampleEntry(video),
    sampleSizes: uint32(0, sampleCount, ...video.sampleSizes),
    syncSamples: [fullBox('stss', 0, uint32(video.keySamples.length, ...video.keySamples))],
  });
}

/** `trak` of `frameCount` silent AAC frames that start at `chunkOffset` in the file. */
function silentTrack(frameCount: number, chunkOffset: number): Uint8Array {
  const { sampleRate, samplesPerFrame, frame } = SILENT_AAC;
  return track({
    id: 2,
    seconds: (frameCount * samplesPerFrame) / sampleRate,
    timescale: sampleRate,
    ticksPerSample: samplesPerFrame,
    sampleCount: frameCount,
    chunkOffset,
    handler: 'soun',
    volume: FULL_VOLUME,
    width: 0,
    height: 0,
    mediaHeader: fullBox('smhd', 0, zeros(4)),
    sampleEntry: aacSampleEntry(),
    sampleSizes: uint32(frame.length, frameCount),
    syncSamples: [],
  });
}

function track(t: Track): Uint8Array {
  const duration = Math.round(t.seconds * MOVIE_TIMESCALE);
  const header = fullBox(
    'tkhd',
    TRACK_ENABLED_IN_MOVIE,
    uint32(0, 0, t.id, 0, duration), // creation and modification time, track, reserved, duration
    zeros(8),
    uint16(0, 0, t.volume, 0), // layer, alternate_group, volume, reserved
    UNITY_MATRIX,
    uint32(t.width * 0x10000, t.height * 0x10000),
  );
  const mediaHeader = fullBox(
    'mdhd',
    0,
    uint32(0, 0, t.timescale, t.sampleCount * t.ticksPerSample),
    uint16(LANGUAGE_UNDETERMINED, 0),
  );
  const handler = fullBox('hdlr', 0, zeros(4), ascii(t.handler), zeros(12), ascii('\0'));
  const dataInThisFile = box('dinf', fullBox('dref', 0, uint32(1), fullBox('url ', 1)));
  const information = box('minf', t.mediaHeader, dataInThisFile, sampleTable(t));
  return box('trak', header, box('mdia', mediaHeader, handler, information));
}

function sampleTable(t: Track): Uint8Array {
  return box(
    'stbl',
    fullBox('stsd', 0, uint32(1), t.sampleEntry),
    fullBox('stts', 0, uint32(1, t.sampleCount, t.ticksPerSample)),
    ...t.syncSamples,
    fullBox('stsc', 0, uint32(1, 1, t.sampleCount, 1)),
    fullBox('stsz', 0, t.sampleSizes),
    fullBox('stco', 0, uint32(1, t.chunkOffset)),
  );
}

/** VisualSampleEntry with the AVCDecoderConfigurationRecord (ISO/IEC 14496-15). */
function avcSampleEntry({ width, height, sps, pps }: VideoTrack): Uint8Array {
  const configuration = box(
    'avcC',
    uint8(1),
    sps.subarray(1, 4), // profile, compatibility and level, as the sequence parameter set has them
    uint8(0xff, 0xe1), // lengths of NAL units in 4 bytes; one sequence parameter set
    uint16(sps.length),
    sps,
    uint8(1),
    uint16(pps.length),
    pps,
  );
  return box(
    'avc1',
    zeros(6),
    uint16(1), // data_reference_index
    zeros(16),
    uint16(width, height),
    uint32(DPI_72, DPI_72, 0),
    uint16(1), // frame_count
    zeros(32), // compressorname
    uint16(24, 0xffff), // depth, pre_defined
    configuration,
  );
}

/** AudioSampleEntry with the elementary stream descriptor (ISO/IEC 14496-1, 7.2.6). */
function aacSampleEntry(): Uint8Array {
  const { sampleRate, samplesPerFrame, channels, audioSpecificConfig, frame } = SILENT_AAC;
  const bitrate = Math.ceil((frame.length * 8 * sampleRate) / samplesPerFrame);
  const decoderSpecific = descriptor(5, audioSpecificConfig);
  const decoderConfig = descriptor(
    4,
    uint8(0x40, 0x15, 0, 0, 0), // MPEG-4 audio, audio stream, bufferSizeDB
    uint32(bitrate, bitrate),
    decoderSpecific,
  );
  const syncLayer = descriptor(6, uint8(2)); // predefined: MP4 file
  const streamDescriptor = descriptor(3, uint16(2), uint8(0), decoderConfig, syncLayer);
  return box(
    'mp4a',
    zeros(6),
    uint16(1), // data_reference_index
    zeros(8),
    uint16(channels, 16, 0, 0), // channelcount, samplesize, pre_defined, reserved
    uint32(sampleRate * 0x10000),
    fullBox('esds', 0, streamDescriptor),
  );
}

/** Bodies here stay below 128 bytes, so the length takes one byte. */
function descriptor(tag: number, ...parts: Uint8Array[]): Uint8Array {
  const body = Buffer.concat(parts);
  return Buffer.concat([uint8(tag, body.length), body]);
}

// The building bricks of ISO base media files (ISO/IEC 14496-12): big-endian numbers and boxes.

function uint8(...values: number[]): Uint8Array {
  return Uint8Array.from(values);
}

function uint16(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 2);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) view.setUint16(i * 2, value);
  return bytes;
}

function uint32(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * 4);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of values.entries()) view.setUint32(i * 4, value);
  return bytes;
}

/** Fields that the standard reserves, or whose zero is their default. */
function zeros(length: number): Uint8Array {
  return new Uint8Array(length);
}

function ascii(text: string): Uint8Array {
  return Buffer.from(text, 'ascii');
}

function box(type: string, ...parts: Uint8Array[]): Uint8Array {
  const size = parts.reduce((total, part) => total + part.length, 8);
  return Buffer.concat([uint32(size), ascii(type), ...parts], size);
}

/** A box that starts with a version, always 0 here, and 24 bits of flags. */
function fullBox(type: string, flags: number, ...parts: Uint8Array[]): Uint8Array {
  return box(type, uint32(flags), ...parts);
}
