import { setImmediate } from 'node:timers/promises';
import { defined } from '../../../defined.ts';
import { H264Encoder } from './h264-encoder.ts';
import { type Mp4Sample, muxMp4 } from './mp4-muxer.ts';
import { type Frames, Scene } from './scene.ts';

/** What a sandbox clip is drawn from. Equal clips are equal files, byte for byte. */
export interface Clip {
  readonly model: string;
  readonly prompt: string;
  /** In pixels; even. */
  readonly width: number;
  readonly height: number;
  readonly durationSeconds: number;
  readonly seed: number;
  readonly generateAudio: boolean;
  /** One line for each input that arrived with the request and is not drawn. */
  readonly plates: readonly string[];
  /** The pictures that it begins and ends with, as `smallPicture` makes them. */
  readonly frames?: { readonly first_frame?: string; readonly last_frame?: string };
}

/** Limits what a clip costs to draw: small clips have full motion, large or long ones half of it. */
export function framesPerSecond({ width, height, durationSeconds }: Clip): number {
  return Math.min(width, height) <= 720 && durationSeconds <= 8 ? 24 : 12;
}

/** Seeking lands on key frames, so there is one at least every two seconds. */
const KEY_FRAME_SECONDS = 2;
/** How many frames are drawn before other work of the process gets its turn. */
const FRAMES_PER_TURN = 10;

async function framesOf({ frames = {} }: Clip): Promise<Frames> {
  const { first_frame, last_frame } = frames;
  if (first_frame === undefined && last_frame === undefined) return {};
  // Loaded when it is needed: few clips have frames.
  const { readSmallPicture } = await import('./input-picture.ts');
  return defined({
    first: first_frame === undefined ? undefined : readSmallPicture(first_frame),
    last: last_frame === undefined ? undefined : readSmallPicture(last_frame),
  });
}

/**
 * Draws a clip and yields its MP4 file: first all that comes before the samples, then a frame at a time.
 * Rejects with the signal's reason once it is aborted.
 */
export async function* renderClip(clip: Clip, signal: AbortSignal): AsyncGenerator<Uint8Array, void, void> {
  const { width, height } = clip;
  const fps = framesPerSecond(clip);
  const frames = Math.max(1, Math.round(clip.durationSeconds * fps));
  const scene = new Scene(clip, frames, await framesOf(clip));
  const encoder = new H264Encoder({ width, height, fps });
  const samples: Mp4Sample[] = [];
  for (let frame = 0; frame < frames; frame++) {
    if (frame % FRAMES_PER_TURN === 0) await setImmediate();
    signal.throwIfAborted();
    const key = frame % (KEY_FRAME_SECONDS * fps) === 0;
    samples.push({ bytes: encoder.encode(scene.draw(frame), key), key });
  }
  const { sps, pps } = encoder;
  for (const piece of muxMp4({ width, height, fps, sps, pps, samples, silentAudio: clip.generateAudio })) {
    signal.throwIfAborted();
    yield piece;
  }
}
