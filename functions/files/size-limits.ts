const MEBIBYTE = 1024 ** 2;

export const LARGEST_FILE = 100 * MEBIBYTE;

/** Of a file that is uploaded in parts; the same as in OpenAI's API. */
export const LARGEST_PART = 64 * MEBIBYTE;

/** For the form around a file or a part: headers, other fields, what is read and ignored. */
export const FORM_BYTES = MEBIBYTE;
export const LARGEST_BODY = LARGEST_FILE + FORM_BYTES;

/** Lambda takes 6 MB a request, its headers and the body's base64 included: about 4.4 MiB of body. */
export const LARGEST_LAMBDA_FILE = 4 * MEBIBYTE;
export const LARGEST_LAMBDA_BODY = LARGEST_LAMBDA_FILE + 64 * 1024;

/** What a caller is told; the edge says the same before any of our code runs. */
export const tooLarge = (limit: number, what: 'file' | 'part' = 'file') =>
  `The ${what} must be at most ${limit} bytes`;
