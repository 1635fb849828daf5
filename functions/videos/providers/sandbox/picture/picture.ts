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
    if (width % 2 !== 0 || height % 2 !== 0) throw new RangeError('4:2:0 pictures have even sides');
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
}
