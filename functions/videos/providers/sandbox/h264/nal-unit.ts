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
