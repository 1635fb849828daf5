import type { AcceptedMimeType, Verdict } from './accepted-types.ts';

/** What the library is right about by the head alone; the other types have modules of their own. */
const ACCEPTED = new Map<string, AcceptedMimeType>([
  ['image/png', 'image/png'],
  ['image/apng', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/gif', 'image/gif'],
  ['image/webp', 'image/webp'],
  ['audio/wav', 'audio/wav'],
  ['audio/flac', 'audio/flac'],
  ['audio/x-flac', 'audio/flac'],
]);
/** What the library itself samples of a stream; more would only let a hostile file have more parsed. */
const LIBRARY_SAMPLE_LENGTH = 4100;
const GZIP = '\x1f\x8b';
/** These begin like an accepted type and are none. */
const LOOK_ALIKES: readonly (readonly [RegExp, string])[] = [
  [/^(?:RF64|BW64|RIFX)....WAVE/s, 'a variant of WAV other than RIFF/WAVE'],
  [/^GIF(?!8[79]a)/, 'a damaged GIF image'],
];

/** Decides by the signature at the start of a file; `undefined` where there is no known one. */
export async function classifySignature(head: Buffer): Promise<Verdict | undefined> {
  const start = head.toString('latin1', 0, 16);
  // The library would inflate it to look inside.
  if (start.startsWith(GZIP)) return { found: 'application/gzip' };
  const lookAlike = LOOK_ALIKES.find(([signature]) => signature.test(start))?.[1];
  const found = lookAlike ?? (await nameByLibrary(head));
  if (found === undefined) return undefined;
  const mimeType = ACCEPTED.get(found);
  return mimeType === undefined ? { found } : { mimeType };
}

/** Loads the library with the first file that is not text. */
async function nameByLibrary(head: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type');
  try {
    return (await fileTypeFromBuffer(head.subarray(0, LIBRARY_SAMPLE_LENGTH)))?.mime;
  } catch {
    // The head of a hostile file broke one of its parsers: it has no name then, and is refused.
    return undefined;
  }
}
