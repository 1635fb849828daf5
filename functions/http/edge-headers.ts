/** Carries the secret by which the edge proves itself. */
export const EDGE_SECRET_HEADER = 'x-genway-edge';

/** Carries the address that a request came from, as the edge saw it. To be believed only beside the secret. */
export const VIEWER_ADDRESS_HEADER = 'x-genway-viewer-address';

/** Repeats a request's `Content-MD5`, which API Gateway does not pass on to functions. */
export const CONTENT_MD5_HEADER = 'x-genway-content-md5';
