export const OOXML_TYPES = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
} as const;

const ACCEPTED_MIME_TYPES = [
  'application/pdf',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  OOXML_TYPES.docx,
  OOXML_TYPES.xlsx,
  OOXML_TYPES.pptx,
  'audio/mpeg',
  'audio/wav',
  'audio/flac',
  'audio/ogg',
  'application/json',
  'application/x-ndjson',
  'text/csv',
  'text/markdown',
  'text/plain',
] as const;
export type AcceptedMimeType = (typeof ACCEPTED_MIME_TYPES)[number];

export interface DetectedType {
  readonly mimeType: AcceptedMimeType;
}

/** What was found instead of an accepted type: a MIME type, or a few words where there is none. */
export interface RefusedType {
  readonly found: string;
}

export type TypeVerdict = DetectedType | RefusedType;

export class UnsupportedFileType extends Error {
  override readonly name = 'UnsupportedFileType';
  readonly found: string;
  readonly accepted: readonly string[] = ACCEPTED_MIME_TYPES;

  constructor(found: string) {
    super(`Unsupported file type: found ${found}; accepted: ${ACCEPTED_MIME_TYPES.join(', ')}`);
    this.found = found;
  }
}
