import { createHash, createPublicKey, type KeyObject } from 'node:crypto';
import * as v from 'valibot';

/** The key set as the API shows it. */
export const keySetSchema = v.object({
  keys: v.array(
    v.object({
      crv: v.literal('Ed25519'),
      kty: v.literal('OKP'),
      x: v.string(),
      kid: v.string(),
      use: v.literal('sig'),
      alg: v.literal('EdDSA'),
    }),
  ),
});

const publicJwkSchema = v.object({ x: v.string() });

/** The public half of a key as a JSON Web Key Set (RFC 7517, RFC 8037), named by its thumbprint (RFC 7638). */
export function keySet(privateKey: KeyObject) {
  const { x } = v.parse(publicJwkSchema, createPublicKey(privateKey).export({ format: 'jwk' }));
  // The members that the thumbprint covers, in the required order.
  const named = { crv: 'Ed25519', kty: 'OKP', x };
  const kid = createHash('sha256').update(JSON.stringify(named)).digest('base64url');
  return { keys: [{ ...named, kid, use: 'sig', alg: 'EdDSA' }] };
}
