/** Carries the secret by which the edge proves itself. */
export const EDGE_SECRET_HEADER = 'x-genway-edge';
