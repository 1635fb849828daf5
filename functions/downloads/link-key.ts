import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { DeriveBytes } from '../aws/derive-bytes.ts';

/** The bytes of SEC 1 before and after the 32 bytes of a private key on P-256, without its public half (RFC 5915 §3). */
const SEC1_PREFIX = Buffer.from('30310201010420', 'hex');
const SEC1_SUFFIX = Buffer.from('a00a06082a8648ce3d030107', 'hex');

/** The order of P-256 (SP 800-186 §3.2.1.3): private keys are the numbers below it, without 0. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** 64 bits more than the order has, so that no key is noticeably likelier (FIPS 186-5 §A.2.1). */
const SEED_BYTES = 40;

/** The key of a generation, which signs links to downloads. It is derived and stored nowhere. */
export async function linkKey(derive: DeriveBytes, generation: number): Promise<KeyObject> {
  const name = `download-links/${generation}`;
  const seed = Buffer.from(hkdfSync('sha256', await derive(name), '', name, SEED_BYTES));
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const bytes = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const key = Buffer.concat([SEC1_PREFIX, bytes, SEC1_SUFFIX]);
  return createPrivateKey({ key, format: 'der', type: 'sec1' });
}

/**
 * The generations whose links CloudFront accepts while one signs: the one before, whose links still work, and the next.
 * CloudFront takes minutes to learn a key everywhere, so it must know one before anything is signed with it.
 */
export const acceptedGenerations = (generation: number): number[] =>
  [generation - 1, generation, generation + 1].filter((each) => each > 0);

/** Under what name a deployment hands on the public half of a generation. */
export const publicKeyName = (generation: number): string => `DownloadsKey${generation}`;

/** What CloudFront gets while a generation signs, by those names. */
export async function publicLinkKeys(
  derive: DeriveBytes,
  generation: number,
): Promise<Record<string, string>> {
  const keys = acceptedGenerations(generation).map(async (each) => [
    publicKeyName(each),
    await publicLinkKey(derive, each),
  ]);
  return Object.fromEntries(await Promise.all(keys));
}

/** The public half, as PEM. */
export async function publicLinkKey(derive: DeriveBytes, generation: number): Promise<string> {
  const key = createPublicKey(await linkKey(derive, generation));
  return key.export({ type: 'spki', format: 'pem' }).toString();
}
