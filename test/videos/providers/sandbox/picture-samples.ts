import type { Picture, Plane } from '../../../../functions/videos/providers/sandbox/picture.ts';
import type { DecodedPicture } from './subset-decoder.ts';

/** Copies of the planes, cropped to the visible size. */
export function visibleSamples({ width, height, luma, cb, cr }: Picture): DecodedPicture {
  const cut = ({ samples, stride }: Plane, columns: number, rows: number) =>
    Buffer.concat(Array.from({ length: rows }, (_, y) => samples.subarray(y * stride, y * stride + columns)));
  return {
    luma: cut(luma, width, height),
    cb: cut(cb, width / 2, height / 2),
    cr: cut(cr, width / 2, height / 2),
  };
}
