/**
 * What KMS binds the headers of destinations to, in the place of a provider's name; no provider can have it.
 */
export const SEALED_FOR = 'broadcast:headers';
