/** A constant silent stereo track in AAC-LC (ISO/IEC 14496-3), one frame repeated. */
export const SILENT_AAC = {
  sampleRate: 44_100,
  channels: 2,
  samplesPerFrame: 1024,
  /** AudioSpecificConfig: object type 2 (AAC-LC), frequency index 4 (44.1 kHz), channel configuration 2. */
  audioSpecificConfig: Uint8Array.of(0x12, 0x10),
  /** raw_data_block: one channel pair element whose spectra are all zero, then END. */
  frame: Uint8Array.of(0x21, 0x00, 0x49, 0x90, 0x02, 0x19, 0x00, 0x23, 0x80),
};

/** As many whole frames as fit, so that sound never makes a clip longer than its pictures. */
export function silentFrameCount(seconds: number): number {
  return Math.max(1, Math.floor((seconds * SILENT_AAC.sampleRate) / SILENT_AAC.samplesPerFrame));
}
