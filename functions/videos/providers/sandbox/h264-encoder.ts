import {
  BitWriter,
  FRAME_NUM_BITS,
  NAL_HEADER,
  nalUnit,
  pictureParameterSet,
  sequenceParameterSet,
  type VideoFormat,
} from './h264-syntax.ts';
import { Picture, type Plane } from './picture.ts';

/** slice_type of a picture whose slices are all alike (ITU-T H.264, table 7-6). */
const SLICE_TYPE_P = 5;
const SLICE_TYPE_I = 7;
/** In P slices the intra macroblock types are numbered after the five inter types (7.4.5). */
const INTRA_TYPES_IN_P = 5;
const MB_TYPE_I_16X16 = 1;
const MB_TYPE_I_PCM = 25;
const NAL_LENGTH_BYTES = 4;

/**
 * A lossless H.264 Constrained Baseline encoder for drawn pictures, whose blocks are mostly unchanged,
 * flat or repeated along one direction. Each macroblock takes the cheapest form that reproduces it bit for bit:
 * P_Skip, Intra_16x16 without residual, or I_PCM. With no transform, quantiser or rate control the
 * same pictures always make the same bytes. Photographs would all become I_PCM, 384 bytes a macroblock.
 */
export class H264Encoder {
  readonly sps: Uint8Array;
  readonly pps: Uint8Array;
  readonly #reference: Picture;
  readonly #bits = new BitWriter();
  /** By macroblock address, 1 for those of the current picture that are I_PCM. */
  readonly #isPcm: Uint8Array;
  readonly #pcm = new Uint8Array(384);
  #frameNum = 0;
  #idrPicId = 0;

  constructor(format: VideoFormat) {
    this.sps = sequenceParameterSet(format);
    this.pps = pictureParameterSet();
    this.#reference = new Picture(format.width, format.height);
    this.#isPcm = new Uint8Array(this.#reference.widthInMacroblocks * this.#reference.heightInMacroblocks);
  }

  /**
   * The access unit of the next picture: one NAL unit after its length in four bytes. The first picture
   * must be a `key` picture; decoding may start at any of them.
   */
  encode(picture: Picture, key: boolean): Uint8Array {
    if (key) this.#frameNum = 0;
    this.#bits.reset();
    this.#writeSliceHeader(key);
    this.#writeSliceData(picture, key);
    const header = key ? NAL_HEADER.idrSlice : NAL_HEADER.slice;
    const unit = nalUnit(header, this.#bits.finish(), NAL_LENGTH_BYTES);
    new DataView(unit.buffer).setUint32(0, unit.length - NAL_LENGTH_BYTES);
    this.#reference.copyFrom(picture);
    this.#frameNum++;
    return unit;
  }

  #writeSliceHeader(key: boolean): void {
    const bits = this.#bits;
    bits
      .ue(0) // first_mb_in_slice
      .ue(key ? SLICE_TYPE_I : SLICE_TYPE_P)
      .ue(0) // pic_parameter_set_id
      .u(this.#frameNum % 2 ** FRAME_NUM_BITS, FRAME_NUM_BITS);
    if (key) {
      bits
        .ue(this.#idrPicId)
        .u(0, 1) // no_output_of_prior_pics_flag
        .u(0, 1); // long_term_reference_flag
      this.#idrPicId = 1 - this.#idrPicId; // consecutive IDR pictures must differ in it (7.4.3)
    } else {
      bits
        .u(0, 1) // num_ref_idx_active_override_flag
        .u(0, 1) // ref_pic_list_modification_flag_l0
        .u(0, 1); // adaptive_ref_pic_marking_mode_flag
    }
    bits
      .se(0) // slice_qp_delta
      .ue(1); // disable_deblocking_filter_idc: the filter would change exact samples
  }

  #writeSliceData(picture: Picture, key: boolean): void {
    const { widthInMacroblocks, heightInMacroblocks } = picture;
    this.#isPcm.fill(0);
    let skipRun = 0;
    for (let mbY = 0; mbY < heightInMacroblocks; mbY++) {
      for (let mbX = 0; mbX < widthInMacroblocks; mbX++) {
        // The motion vector of a P_Skip is always zero here, because no coded neighbour has another one.
        if (!key && isUnchanged(picture, this.#reference, mbX, mbY)) {
          skipRun++;
          continue;
        }
        if (!key) this.#bits.ue(skipRun);
        skipRun = 0;
        this.#writeMacroblock(picture, mbX, mbY, key ? 0 : INTRA_TYPES_IN_P);
      }
    }
    if (skipRun > 0) this.#bits.ue(skipRun);
  }

  #writeMacroblock(picture: Picture, mbX: number, mbY: number, typeBase: number): void {
    const prediction = exactPrediction(picture, mbX, mbY);
    if (prediction === undefined) this.#writePcm(picture, mbX, mbY, typeBase);
    else this.#writeIntra16x16(prediction, picture.widthInMacroblocks, mbX, mbY, typeBase);
  }

  #writeIntra16x16(
    prediction: IntraPrediction,
    stride: number,
    mbX: number,
    mbY: number,
    typeBase: number,
  ): void {
    this.#bits
      .ue(typeBase + MB_TYPE_I_16X16 + prediction.lumaMode) // mb_type, which says: no coded residual
      .ue(prediction.chromaMode)
      .se(0); // mb_qp_delta
    this.#writeNoCoefficients(mbY * stride + mbX, stride, mbX);
  }

  /**
   * coeff_token of an empty DC block (9.2.1, table 9-5). Its code depends on nC, the mean of what the
   * neighbours at the left and above count as coded: 16 coefficients for I_PCM and none for all else, so 0, 8 or 16.
   */
  #writeNoCoefficients(mbAddr: number, stride: number, mbX: number): void {
    const leftIsPcm = mbX > 0 && this.#isPcm[mbAddr - 1] === 1;
    const aboveIsPcm = this.#isPcm[mbAddr - stride] === 1;
    if (leftIsPcm || aboveIsPcm) this.#bits.u(0b000011, 6);
    else this.#bits.u(0b1, 1);
  }

  #writePcm({ luma, cb, cr, widthInMacroblocks }: Picture, mbX: number, mbY: number, typeBase: number): void {
    copyBlock(luma, mbX, mbY, 16, this.#pcm, 0);
    copyBlock(cb, mbX, mbY, 8, this.#pcm, 256);
    copyBlock(cr, mbX, mbY, 8, this.#pcm, 320);
    this.#bits
      .ue(typeBase + MB_TYPE_I_PCM)
      .alignWithZeros()
      .bytes(this.#pcm);
    this.#isPcm[mbY * widthInMacroblocks + mbX] = 1;
  }
}

function copyBlock(
  plane: Plane,
  mbX: number,
  mbY: number,
  size: number,
  target: Uint8Array,
  at: number,
): void {
  for (let row = 0; row < size; row++) {
    const start = (mbY * size + row) * plane.stride + mbX * size;
    target.set(plane.samples.subarray(start, start + size), at + row * size);
  }
}

/** Intra16x16PredMode and intra_chroma_pred_mode (ITU-T H.264, tables 7-11 and 7-16). */
interface IntraPrediction {
  readonly lumaMode: number;
  readonly chromaMode: number;
}

const LUMA_VERTICAL = 0;
const LUMA_HORIZONTAL = 1;
const CHROMA_HORIZONTAL = 1;
const CHROMA_VERTICAL = 2;

/** Whether P_Skip reproduces the macroblock: it is the same in the reference picture. */
function isUnchanged(picture: Picture, reference: Picture, mbX: number, mbY: number): boolean {
  return (
    sameBlock(picture.luma, reference.luma, mbX, mbY, 16) &&
    sameBlock(picture.cb, reference.cb, mbX, mbY, 8) &&
    sameBlock(picture.cr, reference.cr, mbX, mbY, 8)
  );
}

/** The intra prediction that reproduces the macroblock with no residual at all, if there is one. */
function exactPrediction(picture: Picture, mbX: number, mbY: number): IntraPrediction | undefined {
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
