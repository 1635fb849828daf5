import { UnsupportedFileType } from '../../../functions/files/type-detection/accepted-types.ts';
import { TypeDetector } from '../../../functions/files/type-detection/type-detector.ts';

/** The MIME type, or `refused: ` and the type that was found. Any other error fails the test. */
export async function detect(
  bytes: Uint8Array | string,
  chunkLengths: readonly number[] = [],
): Promise<string> {
  const file = Buffer.from(bytes);
  const detector = new TypeDetector();
  let at = 0;
  for (const length of chunkLengths) {
    writeReused(detector, file.subarray(at, at + length));
    at += length;
  }
  writeReused(detector, file.subarray(at));
  try {
    return (await detector.end()).mimeType;
  } catch (error) {
    if (!(error instanceof UnsupportedFileType)) throw error;
    return `refused: ${error.found}`;
  }
}

/** Overwrites each chunk after its use, as its owner may. So the detector must copy what it still needs. */
function writeReused(detector: { write(chunk: Uint8Array): void }, bytes: Uint8Array): void {
  const chunk = Uint8Array.from(bytes);
  detector.write(chunk);
  chunk.fill(0xaa);
}
