import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { FilePathSource, Input, MP4, type VideoSample, VideoSampleSink } from 'mediabunny';
import type { VideoDecoderConfig } from 'node-webcodecs';
import { type Picture, rowsOf, shrunk } from './shrunk.ts';

/** The file of this program, which is also a chunk of a bundle. */
export const DECODER = import.meta.filename;
export const THUMBNAIL = 'thumbnail.jpg';
export const LAST_FRAME = 'last.jpg';
export const SPRITESHEET = 'spritesheet.jpg';

/** 4K has half as many. A picture takes four bytes for each, and a few of them are in memory at once. */
const MOST_PIXELS = 4096 * 4096;
const THUMBNAIL_PIXELS = 512;
/** In reading order, four across and four down. */
const TILES_ACROSS = 4;
const TILES = TILES_ACROSS ** 2;
const TILE_PIXELS = 256;
const THUMBNAIL_QUALITY = 80;
/** It becomes the first frame of another video, whose model would take artefacts for a texture. */
const FRAME_QUALITY = 92;

/** Writes the pictures of `video.mp4` in a folder beside it. The thumbnail tells of success; without the last there is no spritesheet. */
async function decode(folder: string): Promise<void> {
  provideDecoder();
  using input = new Input({ source: new FilePathSource(join(folder, 'video.mp4')), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  if (track === null) throw new Error('The file has no video track');
  assertNotTooLarge(track.codedWidth, track.codedHeight);
  const frames = new VideoSampleSink(track);
  const first = await pictureAt(frames, await track.getFirstTimestamp());
  const last = await pictureAt(frames, await track.computeDuration());
  const thumbnail = await shrunk(rowsOf(first), first, THUMBNAIL_PIXELS);
  await writeFile(join(folder, LAST_FRAME), jpeg.encode(last, FRAME_QUALITY).data);
  await writeFile(join(folder, THUMBNAIL), jpeg.encode(thumbnail, THUMBNAIL_QUALITY).data);
  const sheet = await spritesheet(frames, await track.getFirstTimestamp(), await track.computeDuration());
  await writeFile(join(folder, SPRITESHEET), jpeg.encode(sheet, THUMBNAIL_QUALITY).data);
}

/**
 * Small pictures at equal distances, in one. It goes through all frames in their order, of which the demuxer keeps a few:
 * it would keep all that are asked for by their times, and large ones would take all of the function's memory.
 */
async function spritesheet(frames: VideoSampleSink, start: number, end: number): Promise<Picture> {
  const tiles: Picture[] = [];
  const isDue = (until: number) =>
    tiles.length < TILES && start + ((end - start) * tiles.length) / TILES < until;
  for await (const sample of frames.samples()) {
    using frame = sample;
    const until = frame.timestamp + frame.duration;
    if (!isDue(until)) continue;
    const picture = await pixelsOf(frame);
    const tile = await shrunk(rowsOf(picture), picture, TILE_PIXELS);
    // A video of few frames shows one several times.
    while (isDue(until)) tiles.push(tile);
  }
  return sideBySide(tiles);
}

function sideBySide(tiles: readonly Picture[]): Picture {
  const [first] = tiles;
  if (first === undefined) throw new Error('The video has no pictures');
  const width = first.width * TILES_ACROSS;
  const height = first.height * Math.ceil(tiles.length / TILES_ACROSS);
  const data = new Uint8Array(width * height * 4);
  for (const [i, tile] of tiles.entries()) {
    const left = (i % TILES_ACROSS) * first.width;
    const top = Math.floor(i / TILES_ACROSS) * first.height;
    let y = top;
    for (const row of rowsOf(tile)) data.set(row, (y++ * width + left) * 4);
  }
  return { width, height, data };
}

function assertNotTooLarge(width: number, height: number): void {
  if (width * height > MOST_PIXELS) throw new Error('The frames of the video are too large');
}

declare global {
  /** The demuxer's own types are older than this. */
  interface VideoFrameCopyToOptions {
    format?: 'RGBA';
  }
}

async function pictureAt(frames: VideoSampleSink, seconds: number): Promise<Picture> {
  using frame = await frames.getSample(seconds);
  if (frame === null) throw new Error('The video has no picture at this time');
  return pixelsOf(frame);
}

async function pixelsOf(frame: VideoSample): Promise<Picture> {
  // A file may say less of its pictures than they are.
  assertNotTooLarge(frame.codedWidth, frame.codedHeight);
  const format = { format: 'RGBA' } as const;
  const data = new Uint8Array(frame.allocationSize(format));
  await frame.copyTo(data, format);
  return { width: frame.visibleRect.width, height: frame.visibleRect.height, data };
}

/**
 * The decoder is FFmpeg in a native module, which no bundle can contain: on AWS it is in a layer, where `require` looks
 * and `import` does not. The demuxer expects it under the names of browsers.
 */
function provideDecoder(): void {
  if ('VideoDecoder' in globalThis) return;
  const load = createRequire(import.meta.url);
  const codecs: typeof import('node-webcodecs') = load('node-webcodecs');
  const { VideoFrame, EncodedVideoChunk, VideoColorSpace } = codecs;
  // On its own thread, it tells of its end by another queue than of its frames: one video in fifteen lost its last ones.
  class VideoDecoder extends codecs.VideoDecoder {
    override configure(config: VideoDecoderConfig) {
      super.configure({ ...config, useWorkerThread: false });
    }

    /**
     * A packet is decoded when `decode` returns. The decoder counts it until the next turn, and the demuxer waits at 40
     * for a frame that has already come: a small video that is read in one turn never ended.
     */
    override get decodeQueueSize() {
      return 0;
    }
  }
  Object.assign(globalThis, { VideoDecoder, VideoFrame, EncodedVideoChunk, VideoColorSpace });
}

const [, program, folder] = process.argv;
if (program === DECODER && folder !== undefined) await decode(folder);
