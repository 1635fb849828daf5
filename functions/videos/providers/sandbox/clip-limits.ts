import { ProviderError } from '../provider.ts';
import type { Clip } from './clip.ts';

/** The widest picture is 21:9 at 1080p; below 64 pixels nothing written in a picture can be read. */
const SMALLEST_SIDE = 64;
const LARGEST_SIDE = 2560;
const LARGEST_SHORT_SIDE = 1080;
const LONGEST_SECONDS = 15;

/** Throws `refused` for a clip that cannot be drawn exactly as asked, within bounded time and memory. */
export function assertDrawable({ width, height, durationSeconds }: Clip): void {
  const sides = [width, height];
  const drawable =
    sides.every((side) => side % 2 === 0 && side >= SMALLEST_SIDE && side <= LARGEST_SIDE) &&
    Math.min(...sides) <= LARGEST_SHORT_SIDE;
  if (!drawable) {
    const supported = `even sides from ${SMALLEST_SIDE} to ${LARGEST_SIDE}, the shorter at most ${LARGEST_SHORT_SIDE}`;
    throw new ProviderError(
      'refused',
      `size: ${width}x${height} is not supported by the sandbox; supported: ${supported}`,
    );
  }
  if (!(durationSeconds > 0 && durationSeconds <= LONGEST_SECONDS)) {
    throw new ProviderError(
      'refused',
      `duration: ${durationSeconds} is not supported by the sandbox; supported: up to ${LONGEST_SECONDS}`,
    );
  }
}
