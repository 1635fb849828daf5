/** KMS binds the headers of destinations to this, in place of a provider's name. No provider can have it. */
export const SEALED_FOR = 'broadcast:headers';
