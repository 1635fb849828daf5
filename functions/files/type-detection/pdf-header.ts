/** Readers look for the header in the first 1,024 bytes, and for the trailer in the last (ISO 32000, annex I). */
export const PDF_SEARCH_LENGTH = 1024;

const HEADER = /%PDF-\d\.\d/;
const HEADER_LENGTH = '%PDF-1.7'.length;
const HEADER_LINE = /^%PDF-\d\.\d[ \t]*(?:[\r\n]|$)/;
const TRAILER = '%%EOF';

export function isPdf(head: Buffer): boolean {
  return HEADER.test(head.toString('latin1', 0, HEADER_LENGTH));
}

/** Junk before the header is common enough; whether the junk is another type is for others to say. */
export function isPdfAfterJunk(head: Buffer, tail: Buffer): boolean {
  const searched = head.toString('latin1', 0, PDF_SEARCH_LENGTH + HEADER_LENGTH);
  return HEADER.test(searched) && hasTrailer(tail);
}

/**
 * A PDF may be text from end to end, and a text may speak of `%PDF-1.7`: so among texts only those count that
 * begin with the header and have it on a line of its own, or end as a PDF does.
 */
export function isTextualPdf(text: Buffer, tail: Buffer): boolean {
  return isPdf(text) && (HEADER_LINE.test(text.toString('latin1', 0, PDF_SEARCH_LENGTH)) || hasTrailer(tail));
}

function hasTrailer(tail: Buffer): boolean {
  return tail.subarray(-PDF_SEARCH_LENGTH).includes(TRAILER);
}
