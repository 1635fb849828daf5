/**
 * An H.264 decoder for the subset that the encoder writes: one slice in each picture, P_Skip, Intra_16x16 without
 * residual, I_PCM, no deblocking. It was written from the standard and shares no code with the encoder. It throws on
 * all other syntax, so decoding also checks the syntax.
 */
export interface DecodedPicture {
  readonly luma: Uint8Array;
  readonly cb: Uint8Array;
  readonly cr: Uint8Array;
}

interface SequenceParameters {
  readonly widthInMbs: number;
  readonly heightInMbs: number;
  readonly frameNumBits: number;
  readonly cropRight: number;
  readonly cropBottom: number;
}

class BitReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at = 0;

  constructor(nal: Uint8Array) {
    this.#bytes = withoutEmulationPrevention(nal.subarray(1));
    let stopBit = this.#bytes.length * 8 - 1;
    while (this.#bitAt(stopBit) === 0) stopBit--;
    this.#end = stopBit;
  }

  u(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i++) value = value * 2 + this.#bitAt(this.#at++);
    return value;
  }

  ue(): number {
    let leadingZeros = 0;
    while (this.u(1) === 0) {
      if (++leadingZeros > 32) throw new Error('no Exp-Golomb code');
    }
    return 2 ** leadingZeros - 1 + this.u(leadingZeros);
  }

  se(): number {
    const code = this.ue();
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2;
  }

  alignedBytes(length: number): Uint8Array {
    while (this.#at % 8 !== 0) this.expect('pcm_alignment_zero_bit', this.u(1), 0);
    const start = this.#at / 8;
    this.#at += length * 8;
    return this.#bytes.subarray(start, start + length);
  }

  moreData(): boolean {
    return this.#at < this.#end;
  }

  finish(): void {
    this.expect('bits before the stop bit', this.#end - this.#at, 0);
  }

  expect(element: string, actual: number, expected: number): void {
    if (actual !== expected) throw new Error(`${element} is ${actual}, not ${expected}`);
  }

  #bitAt(at: number): number {
    const byte = this.#bytes[at >> 3];
    if (byte === undefined) throw new Error('read past the end');
    return (byte >> (7 - (at & 7))) & 1;
  }
}

function withoutEmulationPrevention(bytes: Uint8Array): Uint8Array {
  const kept: number[] = [];
  for (const [i, byte] of bytes.entries()) {
    const afterTwoZeros = i >= 2 && bytes[i - 1] === 0 && bytes[i - 2] === 0;
    if (afterTwoZeros && byte < 3) throw new Error('a start code inside a NAL unit');
    if (!(afterTwoZeros && byte === 3)) kept.push(byte);
  }
  return Uint8Array.from(kept);
}

export function readSps(nal: Uint8Array): SequenceParameters & { levelIdc: number; fps: number } {
  const bits = new BitReader(nal);
  bits.expect('nal header', nal[0]!, 0x67);
  bits.expect('profile_idc', bits.u(8), 66);
  bits.expect('constraint flags', bits.u(8), 0xc0);
  const levelIdc = bits.u(8);
  bits.expect('seq_parameter_set_id', bits.ue(), 0);
  const frameNumBits = bits.ue() + 4;
  bits.expect('pic_order_cnt_type', bits.ue(), 2);
  bits.expect('max_num_ref_frames', bits.ue(), 1);
  bits.expect('gaps_in_frame_num_value_allowed_flag', bits.u(1), 0);
  const widthInMbs = bits.ue() + 1;
  const heightInMbs = bits.ue() + 1;
  bits.expect('frame_mbs_only_flag', bits.u(1), 1);
  bits.expect('direct_8x8_inference_flag', bits.u(1), 1);
  const [, cropRight = 0, , cropBottom = 0] = bits.u(1) === 1 ? [0, 1, 2, 3].map(() => 2 * bits.ue()) : [];
  bits.expect('vui_parameters_present_flag', bits.u(1), 1);
  bits.u(1 + 1 + 1 + 3 + 1); // to video_full_range_flag
  bits.expect('colour_description_present_flag', bits.u(1), 1);
  bits.u(24);
  bits.expect('chroma_loc_info_present_flag', bits.u(1), 0);
  bits.expect('timing_info_present_flag', bits.u(1), 1);
  const ticks = bits.u(32);
  const fps = bits.u(32) / ticks / 2;
  bits.expect('fixed_frame_rate_flag', bits.u(1), 1);
  bits.expect('hrd and pic_struct flags', bits.u(3), 0);
  bits.expect('bitstream_restriction_flag', bits.u(1), 1);
  bits.u(1);
  for (let i = 0; i < 4; i++) bits.ue();
  bits.expect('max_num_reorder_frames', bits.ue(), 0);
  bits.expect('max_dec_frame_buffering', bits.ue(), 1);
  bits.finish();
  return { widthInMbs, heightInMbs, frameNumBits, cropRight, cropBottom, levelIdc, fps };
}

/** Decodes access units of one length-prefixed NAL unit each into cropped pictures. */
export function decode(spsNal: Uint8Array, accessUnits: readonly Uint8Array[]): DecodedPicture[] {
  const sps = readSps(spsNal);
  const decoder = new PictureDecoder(sps);
  return accessUnits.map((unit) => {
    const length = new DataView(unit.buffer, unit.byteOffset).getUint32(0);
    if (length !== unit.length - 4) throw new Error('the NAL length is not the sample length');
    return decoder.decode(unit.subarray(4));
  });
}

interface DecoderPlane {
  readonly samples: Uint8Array;
  readonly stride: number;
  readonly size: number;
}

/** Decodes into the same buffer each time, so a skipped macroblock keeps the previous picture's samples. */
class PictureDecoder {
  readonly #sps: SequenceParameters;
  readonly #planes: readonly [DecoderPlane, DecoderPlane, DecoderPlane];
  #nextFrameNum = 0;
  #lastIdrPicId = -1;

  constructor(sps: SequenceParameters) {
    this.#sps = sps;
    const plane = (size: number): DecoderPlane => ({
      samples: new Uint8Array(sps.widthInMbs * size * sps.heightInMbs * size),
      stride: sps.widthInMbs * size,
      size,
    });
    this.#planes = [plane(16), plane(8), plane(8)];
  }

  decode(nal: Uint8Array): DecodedPicture {
    const bits = new BitReader(nal);
    const idr = nal[0] === 0x65;
    if (!idr) bits.expect('nal header', nal[0]!, 0x41);
    this.#readSliceHeader(bits, idr);
    this.#readSliceData(bits, idr);
    bits.finish();
    const [luma, cb, cr] = this.#planes;
    return { luma: this.#crop(luma), cb: this.#crop(cb), cr: this.#crop(cr) };
  }

  #readSliceHeader(bits: BitReader, idr: boolean): void {
    bits.expect('first_mb_in_slice', bits.ue(), 0);
    bits.expect('slice_type', bits.ue(), idr ? 7 : 5);
    bits.expect('pic_parameter_set_id', bits.ue(), 0);
    if (idr) this.#nextFrameNum = 0;
    bits.expect('frame_num', bits.u(this.#sps.frameNumBits), this.#nextFrameNum);
    this.#nextFrameNum = (this.#nextFrameNum + 1) % 2 ** this.#sps.frameNumBits;
    if (idr) {
      const idrPicId = bits.ue();
      if (idrPicId === this.#lastIdrPicId) throw new Error('idr_pic_id repeats');
      this.#lastIdrPicId = idrPicId;
      bits.expect('dec_ref_pic_marking flags', bits.u(2), 0);
    } else bits.expect('override, reordering and marking flags', bits.u(3), 0);
    bits.expect('slice_qp_delta', bits.se(), 0);
    bits.expect('disable_deblocking_filter_idc', bits.ue(), 1);
  }

  #readSliceData(bits: BitReader, idr: boolean): void {
    const { widthInMbs, heightInMbs } = this.#sps;
    const totalCoeff = new Array<number>(widthInMbs * heightInMbs).fill(0);
    let mb = 0;
    while (bits.moreData()) {
      if (!idr) {
        mb += bits.ue();
        if (!bits.moreData()) break;
      }
      const x = mb % widthInMbs;
      const y = Math.floor(mb / widthInMbs);
      const type = bits.ue() - (idr ? 0 : 5);
      if (type === 25) {
        this.#readPcm(bits, x, y);
        totalCoeff[mb] = 16;
      } else {
        const left = x > 0 ? totalCoeff[mb - 1]! : undefined;
        const above = y > 0 ? totalCoeff[mb - widthInMbs]! : undefined;
        this.#readIntra16x16(bits, type, x, y, left, above);
      }
      mb++;
    }
    bits.expect('macroblocks', mb, widthInMbs * heightInMbs);
  }

  #readPcm(bits: BitReader, x: number, y: number): void {
    for (const { samples, stride, size } of this.#planes) {
      for (let row = 0; row < size; row++) {
        samples.set(bits.alignedBytes(size), (y * size + row) * stride + x * size);
      }
    }
  }

  #readIntra16x16(bits: BitReader, type: number, x: number, y: number, left?: number, above?: number): void {
    if (type !== 1 && type !== 2) throw new Error(`mb_type ${type} is outside the subset`);
    const chromaMode = bits.ue();
    if (chromaMode !== 1 && chromaMode !== 2) throw new Error(`intra_chroma_pred_mode ${chromaMode}`);
    bits.expect('mb_qp_delta', bits.se(), 0);
    const known = [left, above].filter((count) => count !== undefined);
    const nC = known.length === 2 ? Math.floor((left! + above! + 1) / 2) : (known[0] ?? 0);
    const emptyBlock = nC < 2 ? '1' : nC < 4 ? '11' : nC < 8 ? '1111' : '000011';
    bits.expect('coeff_token', bits.u(emptyBlock.length), Number.parseInt(emptyBlock, 2));
    const [luma, cb, cr] = this.#planes;
    predict(luma, x, y, type === 1);
    predict(cb, x, y, chromaMode === 2);
    predict(cr, x, y, chromaMode === 2);
  }

  #crop({ samples, stride, size }: DecoderPlane): Uint8Array {
    const scale = 16 / size;
    const width = stride - this.#sps.cropRight / scale;
    const height = samples.length / stride - this.#sps.cropBottom / scale;
    const cropped = new Uint8Array(width * height);
    for (let y = 0; y < height; y++) cropped.set(samples.subarray(y * stride, y * stride + width), y * width);
    return cropped;
  }
}

function predict({ samples, stride, size }: DecoderPlane, x: number, y: number, vertical: boolean): void {
  if (vertical ? y === 0 : x === 0) throw new Error('predicts from outside the picture');
  const origin = y * size * stride + x * size;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const from = vertical ? origin - stride + column : origin + row * stride - 1;
      samples[origin + row * stride + column] = samples[from]!;
    }
  }
}
