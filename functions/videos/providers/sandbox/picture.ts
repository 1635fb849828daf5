import { GLYPH_ADVANCE, glyphPixels } from './bitmap-font.ts';

/** One 8-bit 4:2:0 plane, a row after the other. */
export interface Plane {
  readonly samples: Uint8Array;
  readonly stride: number;
}

/**
 * An 8-bit 4:2:0 picture of `width` x `height`, both even. The planes are as large as the whole
 * macroblocks that cover it, because that is what H.264 codes; a decoder crops the rest away.
 */
export class Picture {
  readonly width: number;
  readonly height: number;
  readonly widthInMacroblocks: number;
  readonly heightInMacroblocks: number;
  readonly luma: Plane;
  readonly cb: Plane;
  readonly cr: Plane;

  constructor(width: number, height: number) {
    if (width % 2 !== 0 || height % 2 !== 0)
      throw new RangeError(`${width}x${height} is not a 4:2:0 picture: both sides must be even`);
    this.width = width;
    this.height = height;
    this.widthInMacroblocks = Math.ceil(width / 16);
    this.heightInMacroblocks = Math.ceil(height / 16);
    const stride = this.widthInMacroblocks * 16;
    const rows = this.heightInMacroblocks * 16;
    this.luma = { samples: new Uint8Array(stride * rows), stride };
    this.cb = { samples: new Uint8Array((stride / 2) * (rows / 2)), stride: stride / 2 };
    this.cr = { samples: new Uint8Array((stride / 2) * (rows / 2)), stride: stride / 2 };
  }

  /** Takes over the samples of a picture of the same size. */
  copyFrom(other: Picture): void {
    this.luma.samples.set(other.luma.samples);
    this.cb.samples.set(other.cb.samples);
    this.cr.samples.set(other.cr.samples);
  }

  /** Takes over one macroblock of such a picture. */
  copyBlock(other: Picture, mbX: number, mbY: number): void {
    for (const [to, from, side] of [
      [this.luma, other.luma, 16],
      [this.cb, other.cb, 8],
      [this.cr, other.cr, 8],
    ] as const) {
      const start = mbY * side * to.stride + mbX * side;
      for (let at = start; at < start + side * to.stride; at += to.stride)
        to.samples.set(from.samples.subarray(at, at + side), at);
    }
  }
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Fills a rectangle of a plane, in that plane's samples; what lies outside it is not drawn. */
export function fillRectangle({ samples, stride }: Plane, area: Rectangle, value: number): void {
  const left = Math.max(0, area.x);
  const right = Math.min(stride, area.x + area.width);
  const bottom = Math.min(samples.length / stride, area.y + area.height);
  if (right <= left) return;
  for (let y = Math.max(0, area.y); y < bottom; y++)
    samples.fill(value, y * stride + left, y * stride + right);
}

/** Draws a line of glyphs in luma only; `scale` is the side of a font pixel. */
export function drawText(
  picture: Picture,
  text: string,
  x: number,
  y: number,
  scale: number,
  luma: number,
): void {
  for (const [i, character] of [...text].entries()) {
    for (const [column, row] of glyphPixels(character)) {
      const left = x + (i * GLYPH_ADVANCE + column) * scale;
      fillRectangle(picture.luma, { x: left, y: y + row * scale, width: scale, height: scale }, luma);
    }
  }
}

interface Colour {
  readonly luma: number;
  readonly cb: number;
  readonly cr: number;
}

/** Draws a disc; even `left` and `top` and a `diameter` that is a multiple of 4 keep its colour on its shape. */
export function drawDisc(
  picture: Picture,
  left: number,
  top: number,
  diameter: number,
  colour: Colour,
): void {
  fillDisc(picture.luma, left, top, diameter, colour.luma);
  fillDisc(picture.cb, left / 2, top / 2, diameter / 2, colour.cb);
  fillDisc(picture.cr, left / 2, top / 2, diameter / 2, colour.cr);
}

function fillDisc(plane: Plane, left: number, top: number, diameter: number, value: number): void {
  const radius = diameter / 2;
  for (let row = 0; row < diameter; row++) {
    const fromCentre = row + 0.5 - radius;
    const half = Math.round(Math.sqrt(radius ** 2 - fromCentre ** 2));
    fillRectangle(plane, { x: left + radius - half, y: top + row, width: 2 * half, height: 1 }, value);
  }
}
