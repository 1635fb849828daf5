const MEBIBYTE = 1024 ** 2;

export const LARGEST_FILE = 100 * MEBIBYTE;

/** The rest is for the form around the file: part headers, other fields, parts that are read and ignored. */
export const LARGEST_BODY = LARGEST_FILE + MEBIBYTE;

/** Lambda takes 6 MB a request, in base64 and with its headers: about 4.4 MiB of body, of which this is sure to fit. */
export const LARGEST_LAMBDA_BODY = 4 * MEBIBYTE;

/** What a caller is told; the edge says the same before any of our code runs. */
export const tooLarge = (limit: number) => `The file must be at most ${limit} bytes`;
