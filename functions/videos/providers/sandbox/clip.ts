/** What a sandbox clip is drawn from. Equal clips are equal files, byte for byte. */
export interface Clip {
  readonly model: string;
  readonly prompt: string;
  /** In pixels; even. */
  readonly width: number;
  readonly height: number;
  readonly durationSeconds: number;
  readonly seed: number;
  readonly generateAudio: boolean;
  /** One line for each input that arrived with the request. */
  readonly plates: readonly string[];
}

/** Limits what a clip costs to draw: small clips have full motion, large or long ones half of it. */
export function framesPerSecond({ width, height, durationSeconds }: Clip): number {
  return Math.min(width, height) <= 720 && durationSeconds <= 8 ? 24 : 12;
}
