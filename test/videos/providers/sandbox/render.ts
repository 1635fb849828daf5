import { type Clip, renderClip } from '../../../../functions/videos/providers/sandbox/render-clip.ts';

export const plainClip: Clip = {
  model: 'clip-1',
  prompt: 'A red fox runs through fresh snow at golden hour, cinematic',
  width: 640,
  height: 360,
  durationSeconds: 4,
  seed: 7,
  generateAudio: false,
  plates: [],
};

export async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces);
}

export function render(clip: Partial<Clip> = {}): Promise<Buffer> {
  return collect(renderClip({ ...plainClip, ...clip }, new AbortController().signal));
}

/** FFmpeg, with all its error detection, decoded each of these files to exactly the drawn pictures. */
export const GOLDENS: readonly {
  readonly name: string;
  readonly clip: Partial<Clip>;
  readonly sha256: string;
}[] = [
  {
    name: 'landscape with sound',
    clip: { generateAudio: true },
    sha256: '34bdfebc8c674497d0ff1a7fc2a54eec9296b3e7d4a1f30f8d5bdc82c76fc9d8',
  },
  {
    name: 'portrait with inputs, cropped to its size',
    clip: {
      width: 362,
      height: 642,
      durationSeconds: 2,
      seed: -5,
      plates: ['first_frame image/png', 'input_references 2 image'],
    },
    sha256: '4b1d5172f48ab7b7af4de0971eb591af4c4ca80db67ef8a4ce6fdf92d79821ad',
  },
  {
    name: 'full HD',
    clip: { width: 1920, height: 1080, durationSeconds: 1, seed: 0 },
    sha256: '4b3dfc6b5135e995af622454f86c6d9b5886abe0796994a518b5105c0bcb092c',
  },
];
