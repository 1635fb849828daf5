/** `whsec_` and standard base64: without the prefix some receivers would take the text itself for the key. */
export const encodeSecret = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString('base64')}`;
