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
