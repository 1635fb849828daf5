import type { Picture, Plane } from '../picture/picture.ts';

/** Intra16x16PredMode and intra_chroma_pred_mode (ITU-T H.264, tables 7-11 and 7-16). */
export interface IntraPrediction {
  readonly lumaMode: number;
  readonly chromaMode: number;
}

const LUMA_VERTICAL = 0;
const LUMA_HORIZONTAL = 1;
const CHROMA_HORIZONTAL = 1;
const CHROMA_VERTICAL = 2;

/** Whether P_Skip reproduces the macroblock: it is the same in the reference picture. */
export function isUnchanged(picture: Picture, reference: Picture, mbX: number, mbY: number): boolean {
  return (
    sameBlock(picture.luma, reference.luma, mbX, mbY, 16) &&
    sameBlock(picture.cb, reference.cb, mbX, mbY, 8) &&
    sameBlock(picture.cr, reference.cr, mbX, mbY, 8)
  );
}

/** The intra prediction that reproduces the macroblock with no residual at all, if there is one. */
export function exactPrediction(picture: Picture, mbX: number, mbY: number): IntraPrediction | undefined {
  const { luma, cb, cr } = picture;
  const repeats = (plane: Plane, size: number, mode: 'rowAbove' | 'columnLeft') =>
    mode === 'rowAbove'
      ? mbY > 0 && repeatsRowAbove(plane, mbX, mbY, size)
      : mbX > 0 && repeatsColumnLeft(plane, mbX, mbY, size);

  let chromaMode: number;
  if (repeats(cb, 8, 'rowAbove') && repeats(cr, 8, 'rowAbove')) chromaMode = CHROMA_VERTICAL;
  else if (repeats(cb, 8, 'columnLeft') && repeats(cr, 8, 'columnLeft')) chromaMode = CHROMA_HORIZONTAL;
  else return undefined;
  if (repeats(luma, 16, 'rowAbove')) return { lumaMode: LUMA_VERTICAL, chromaMode };
  if (repeats(luma, 16, 'columnLeft')) return { lumaMode: LUMA_HORIZONTAL, chromaMode };
  return undefined;
}

function sameBlock(a: Plane, b: Plane, mbX: number, mbY: number, size: number): boolean {
  for (let row = 0; row < size; row++) {
    const start = (mbY * size + row) * a.stride + mbX * size;
    for (let at = start; at < start + size; at++) {
      if (a.samples[at] !== b.samples[at]) return false;
    }
  }
  return true;
}

function repeatsRowAbove({ samples, stride }: Plane, mbX: number, mbY: number, size: number): boolean {
  const top = mbY * size * stride + mbX * size;
  const above = top - stride;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      if (samples[top + row * stride + column] !== samples[above + column]) return false;
    }
  }
  return true;
}

function repeatsColumnLeft({ samples, stride }: Plane, mbX: number, mbY: number, size: number): boolean {
  for (let row = 0; row < size; row++) {
    const start = (mbY * size + row) * stride + mbX * size;
    for (let column = 0; column < size; column++) {
      if (samples[start + column] !== samples[start - 1]) return false;
    }
  }
  return true;
}
