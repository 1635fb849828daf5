/** Writes the syntax elements of an H.264 raw byte sequence payload (ITU-T H.264, 7.2 and 9.1). */
export class BitWriter {
  #bytes = new Uint8Array(64 * 1024);
  #length = 0;
  #partial = 0;
  #partialBits = 0;

  /** u(n): an unsigned number of up to 32 bits, most significant bit first. */
  u(value: number, bits: number): this {
    for (let shift = bits - 1; shift >= 0; shift--) this.#bit((value >>> shift) & 1);
    return this;
  }

  /** ue(v): an unsigned Exp-Golomb code. */
  ue(value: number): this {
    const codeNumber = value + 1;
    const significantBits = 32 - Math.clz32(codeNumber);
    return this.u(0, significantBits - 1).u(codeNumber, significantBits);
  }

  /** se(v): a signed Exp-Golomb code. */
  se(value: number): this {
    return this.ue(value > 0 ? 2 * value - 1 : -2 * value);
  }

  /** pcm_alignment_zero_bit, up to the next whole byte. */
  alignWithZeros(): this {
    while (this.#partialBits !== 0) this.#bit(0);
    return this;
  }

  /** Whole bytes; the writer must be aligned. */
  bytes(source: Uint8Array): this {
    this.#reserve(source.length);
    this.#bytes.set(source, this.#length);
    this.#length += source.length;
    return this;
  }

  /** Closes with rbsp_trailing_bits. The result is a view that the next `reset` makes stale. */
  finish(): Uint8Array {
    this.#bit(1);
    this.alignWithZeros();
    return this.#bytes.subarray(0, this.#length);
  }

  /** Starts over in the same memory, so that a clip's frames share one buffer. */
  reset(): this {
    this.#length = 0;
    this.#partial = 0;
    this.#partialBits = 0;
    return this;
  }

  #bit(bit: number): void {
    this.#partial = (this.#partial << 1) | bit;
    if (++this.#partialBits < 8) return;
    this.#reserve(1);
    this.#bytes[this.#length++] = this.#partial;
    this.#partial = 0;
    this.#partialBits = 0;
  }

  #reserve(extra: number): void {
    if (this.#length + extra <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + extra));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** nal_ref_idc and nal_unit_type in one byte (ITU-T H.264, 7.3.1); all four kinds are referenced by others. */
export const NAL_HEADER = {
  slice: 0x41,
  idrSlice: 0x65,
  sequenceParameterSet: 0x67,
  pictureParameterSet: 0x68,
};

const EMULATION_PREVENTION = 3;

/**
 * The NAL unit around a payload: an emulation_prevention_three_byte goes wherever the payload would
 * otherwise show 00 00 00 to 00 00 03, the patterns by which byte streams are cut. The first `prefix`
 * bytes are left zero for the caller's length field.
 */
export function nalUnit(header: number, payload: Uint8Array, prefix = 0): Uint8Array {
  const unit = new Uint8Array(prefix + 1 + payload.length + countEmulations(payload));
  unit[prefix] = header;
  let at = prefix + 1;
  let zeros = 0;
  for (const byte of payload) {
    if (zeros === 2 && byte <= EMULATION_PREVENTION) {
      unit[at++] = EMULATION_PREVENTION;
      zeros = 0;
    }
    unit[at++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return unit;
}

/** Counted first so that a frame's bytes are allocated once, at their true size. */
function countEmulations(payload: Uint8Array): number {
  let count = 0;
  let zeros = 0;
  for (const byte of payload) {
    if (zeros === 2 && byte <= EMULATION_PREVENTION) {
      count++;
      zeros = 0;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return count;
}

export interface VideoFormat {
  /** In pixels; even. */
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}

/** log2_max_frame_num: the width of `frame_num` in slice headers. */
export const FRAME_NUM_BITS = 8;

const PROFILE_BASELINE = 66;
/** constraint_set0_flag and constraint_set1_flag: Constrained Baseline, which every decoder plays. */
const CONSTRAINED_BASELINE_FLAGS = 0xc0;
const VIDEO_FORMAT_UNSPECIFIED = 5;
/** colour_primaries, transfer_characteristics and matrix_coefficients share these codes (table E-3). */
const BT_709 = 1;
const SMPTE_170M = 6;

/** ITU-T H.264, table A-1: level_idc, macroblocks a second (MaxMBPS), macroblocks a frame (MaxFS). */
const LEVELS = [
  { levelIdc: 20, maxMbps: 11_880, maxFs: 396 },
  { levelIdc: 30, maxMbps: 40_500, maxFs: 1_620 },
  { levelIdc: 31, maxMbps: 108_000, maxFs: 3_600 },
  { levelIdc: 40, maxMbps: 245_760, maxFs: 8_192 },
  { levelIdc: 51, maxMbps: 983_040, maxFs: 36_864 },
  { levelIdc: 62, maxMbps: 16_711_680, maxFs: 139_264 },
] as const;

/** The sequence parameter set NAL unit (7.3.2.1.1). */
export function sequenceParameterSet({ width, height, fps }: VideoFormat): Uint8Array {
  const widthInMbs = Math.ceil(width / 16);
  const heightInMbs = Math.ceil(height / 16);
  const bits = new BitWriter()
    .u(PROFILE_BASELINE, 8)
    .u(CONSTRAINED_BASELINE_FLAGS, 8)
    .u(levelFor(widthInMbs, heightInMbs, fps), 8)
    .ue(0) // seq_parameter_set_id
    .ue(FRAME_NUM_BITS - 4) // log2_max_frame_num_minus4
    .ue(2) // pic_order_cnt_type: output order is decoding order
    .ue(1) // max_num_ref_frames
    .u(0, 1) // gaps_in_frame_num_value_allowed_flag
    .ue(widthInMbs - 1) // pic_width_in_mbs_minus1
    .ue(heightInMbs - 1) // pic_height_in_map_units_minus1
    .u(1, 1) // frame_mbs_only_flag
    .u(1, 1); // direct_8x8_inference_flag
  writeCropping(bits, widthInMbs * 16 - width, heightInMbs * 16 - height);
  bits.u(1, 1); // vui_parameters_present_flag
  writeVui(bits, fps, height >= 720 ? BT_709 : SMPTE_170M);
  return nalUnit(NAL_HEADER.sequenceParameterSet, bits.finish());
}

/** The picture parameter set NAL unit (7.3.2.2). */
export function pictureParameterSet(): Uint8Array {
  const bits = new BitWriter()
    .ue(0) // pic_parameter_set_id
    .ue(0) // seq_parameter_set_id
    .u(0, 1) // entropy_coding_mode_flag: CAVLC
    .u(0, 1) // bottom_field_pic_order_in_frame_present_flag
    .ue(0) // num_slice_groups_minus1
    .ue(0) // num_ref_idx_l0_default_active_minus1
    .ue(0) // num_ref_idx_l1_default_active_minus1
    .u(0, 1) // weighted_pred_flag
    .u(0, 2) // weighted_bipred_idc
    .se(0) // pic_init_qp_minus26
    .se(0) // pic_init_qs_minus26
    .se(0) // chroma_qp_index_offset
    .u(1, 1) // deblocking_filter_control_present_flag: slices switch the filter off
    .u(0, 1) // constrained_intra_pred_flag: intra blocks may predict from skipped neighbours
    .u(0, 1); // redundant_pic_cnt_present_flag
  return nalUnit(NAL_HEADER.pictureParameterSet, bits.finish());
}

/** A side may be at most sqrt(8 x MaxFS) macroblocks long (A.3.1). */
function levelFor(widthInMbs: number, heightInMbs: number, fps: number): number {
  const frame = widthInMbs * heightInMbs;
  const longest = Math.max(widthInMbs, heightInMbs);
  const level = LEVELS.find(
    ({ maxFs, maxMbps }) => frame <= maxFs && longest ** 2 <= 8 * maxFs && frame * fps <= maxMbps,
  );
  if (level === undefined) throw new RangeError('No H.264 level allows pictures this large or this frequent');
  return level.levelIdc;
}

/** Offsets are counted in chroma samples, so in steps of two pixels. */
function writeCropping(bits: BitWriter, right: number, bottom: number): void {
  if (right === 0 && bottom === 0) {
    bits.u(0, 1); // frame_cropping_flag
    return;
  }
  bits
    .u(1, 1)
    .ue(0)
    .ue(right / 2)
    .ue(0)
    .ue(bottom / 2);
}

function writeVui(bits: BitWriter, fps: number, colour: number): void {
  bits
    .u(0, 1) // aspect_ratio_info_present_flag
    .u(0, 1) // overscan_info_present_flag
    .u(1, 1) // video_signal_type_present_flag
    .u(VIDEO_FORMAT_UNSPECIFIED, 3)
    .u(0, 1) // video_full_range_flag
    .u(1, 1) // colour_description_present_flag
    .u(colour, 8)
    .u(colour, 8)
    .u(colour, 8)
    .u(0, 1) // chroma_loc_info_present_flag
    .u(1, 1) // timing_info_present_flag
    .u(1, 32) // num_units_in_tick
    .u(2 * fps, 32) // time_scale, in fields
    .u(1, 1) // fixed_frame_rate_flag
    .u(0, 1) // nal_hrd_parameters_present_flag
    .u(0, 1) // vcl_hrd_parameters_present_flag
    .u(0, 1) // pic_struct_present_flag
    .u(1, 1) // bitstream_restriction_flag
    .u(1, 1) // motion_vectors_over_pic_boundaries_flag
    .ue(0) // max_bytes_per_pic_denom: no bound
    .ue(0) // max_bits_per_mb_denom: no bound
    .ue(10) // log2_max_mv_length_horizontal
    .ue(10) // log2_max_mv_length_vertical
    .ue(0) // max_num_reorder_frames: frames may be shown as they come
    .ue(1); // max_dec_frame_buffering
}
