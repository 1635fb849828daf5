import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import jpeg from 'jpeg-js';
import { FilePathSource, Input, MP4, VideoSampleSink } from 'mediabunny';
import type { VideoDecoderConfig } from 'node-webcodecs';
import { type Picture, rowsOf, shrunk } from './shrunk.ts';

/** The file of this program, which is also a chunk of a bundle. */
export const DECODER = import.meta.filename;
export const THUMBNAIL = 'thumbnail.jpg';
export const LAST_FRAME = 'last.jpg';

/** 4K has half as many. A picture takes four bytes for each, and a few of them are in memory at once. */
const MOST_PIXELS = 4096 * 4096;
const THUMBNAIL_PIXELS = 512;
const THUMBNAIL_QUALITY = 80;
/** It becomes the first frame of another video, whose model would take artefacts for a texture. */
const FRAME_QUALITY = 92;

/** Writes the pictures of `video.mp4` in a folder beside it, the one that tells of success last. */
async function decode(folder: string): Promise<void> {
  provideDecoder();
  using input = new Input({ source: new FilePathSource(join(folder, 'video.mp4')), formats: [MP4] });
  const track = await input.getPrimaryVideoTrack();
  if (track === null) throw new Error('It has no video track');
  assertNotTooLarge(track.codedWidth, track.codedHeight);
  const frames = new VideoSampleSink(track);
  const first = await pictureAt(frames, await track.getFirstTimestamp());
  const last = await pictureAt(frames, await track.computeDuration());
  const thumbnail = await shrunk(rowsOf(first), first, THUMBNAIL_PIXELS);
  await writeFile(join(folder, LAST_FRAME), jpeg.encode(last, FRAME_QUALITY).data);
  await writeFile(join(folder, THUMBNAIL), jpeg.encode(thumbnail, THUMBNAIL_QUALITY).data);
}

function assertNotTooLarge(width: number, height: number): void {
  if (width * height > MOST_PIXELS) throw new Error('Its pictures are too large');
}

declare global {
  /** The demuxer's own types are older than this. */
  interface VideoFrameCopyToOptions {
    format?: 'RGBA';
  }
}

async function pictureAt(frames: VideoSampleSink, seconds: number): Promise<Picture> {
  using frame = await frames.getSample(seconds);
  if (frame === null) throw new Error('It has no picture there');
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
