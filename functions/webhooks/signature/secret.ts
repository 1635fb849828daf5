/** `whsec_` and standard base64. Without the prefix some receivers would use the text itself as the key. */
export const encodeSecret = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString('base64')}`;
