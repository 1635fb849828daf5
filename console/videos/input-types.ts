import type { ReferenceKind } from './draft.ts';

/** The files that the API takes as an input of each kind; clips come from an address. */
export const INPUT_TYPES: Readonly<Record<ReferenceKind, readonly string[]>> = {
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  audio: ['audio/mpeg', 'audio/wav', 'audio/flac', 'audio/ogg'],
  video: [],
};
