import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyKind } from '../http/call.ts';

/**
 * `sk-gw-v1-` (API key), `mk-gw-v1-` (management key) or `cs-gw-v1-` (console session), 43 base62 characters (256 random
 * bits), and six characters of their CRC-32. Scanners recognise a leaked key by its prefix; the checksum refuses a
 * mistyped key without a read of the table.
 */
const PREFIXES = { normal: 'sk-gw-v1-', management: 'mk-gw-v1-', session: 'cs-gw-v1-' } as const;
const SHAPE = /^((?:[sm]k|cs)-gw-v1-)([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/;
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;

/** `random` must give cryptographically random bytes. */
export function generateKey(kind: KeyKind | 'session', random: (size: number) => Uint8Array): string {
  const prefix = PREFIXES[kind];
  const secret = base62(BigInt(`0x${Buffer.from(random(32)).toString('hex')}`), SECRET_LENGTH);
  return prefix + secret + checksum(prefix + secret);
}

/** What a credential claims to be; undefined where it can be none. Of keys only their rows say the kind. */
export function credentialOf(text: string): 'key' | 'session' | undefined {
  const match = SHAPE.exec(text);
  if (match === null || checksum(text.slice(0, -CHECKSUM_LENGTH)) !== match[3]) return undefined;
  return match[1] === PREFIXES.session ? 'session' : 'key';
}

export const isWellFormedKey = (text: string): boolean => credentialOf(text) === 'key';

export const KEY_HASH = /^[0-9a-f]{64}$/;

/** A key's public name. Over 256 random bits a slow hash would add no safety, only a way to exhaust the CPU. */
export function hashKey(key: string): string {
  return hash('sha256', key);
}

/** The label that shows a key after its creation. */
export function labelKey(key: string): string {
  return `${key.slice(0, 12)}...${key.slice(-3)}`;
}

function checksum(text: string): string {
  return base62(BigInt(crc32(text)), CHECKSUM_LENGTH);
}

function base62(value: bigint, length: number): string {
  let rest = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}
