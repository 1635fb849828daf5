import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  credentialOf,
  generateKey,
  hashKey,
  isWellFormedKey,
  labelKey,
} from '../../functions/keys/key-format.ts';

const kinds = fc.constantFrom('normal' as const, 'management' as const);

describe('a key', () => {
  test('says its kind by its prefix', () => {
    expect(generateKey('normal', randomBytes)).toMatch(/^sk-gw-v1-[0-9A-Za-z]{49}$/);
    expect(generateKey('management', randomBytes)).toMatch(/^mk-gw-v1-[0-9A-Za-z]{49}$/);
  });

  test('is told from a session, also by its checksum', () => {
    const [key, session] = [generateKey('normal', randomBytes), generateKey('session', randomBytes)];
    expect([key, session].map(credentialOf)).toEqual(['key', 'session']);
    const changed = [key.replace('sk', 'cs'), session.replace('cs', 'sk')];
    expect(changed.map(credentialOf)).toEqual([undefined, undefined]);
  });

  test('is well formed, and no longer after a change of any character', () => {
    fc.assert(
      fc.property(kinds, fc.nat(), fc.integer({ min: 1, max: 61 }), (kind, position, shift) => {
        const key = generateKey(kind, randomBytes);
        expect(isWellFormedKey(key)).toBe(true);
        const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
        const at = 9 + (position % 49);
        const changed = alphabet[(alphabet.indexOf(key[at]!) + shift) % 62];
        expect(isWellFormedKey(key.slice(0, at) + changed + key.slice(at + 1))).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is what the documentation tells scanners for leaked secrets', () => {
    const [, documented = ''] = /find\nit with `([^`]+)`/.exec(readFileSync('docs/keys.md', 'utf8')) ?? [];
    const key = generateKey('session', randomBytes);
    const [found = ''] = `{"key":"${key}"}`.match(new RegExp(documented)) ?? [];
    expect(found).toBe(key);
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    const told = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(told).toBe(crc32(key.slice(0, -6)));
  });

  test('uses all its random bits', () => {
    generateKey('normal', (size) => {
      expect(size).toBe(256 / 8);
      return new Uint8Array(size);
    });
    const low = generateKey('normal', () => new Uint8Array(32));
    const high = generateKey('normal', () => new Uint8Array(32).fill(255));
    expect(low.slice(9, 52)).toBe('0'.repeat(43));
    expect(high.slice(9, 52)).not.toContain('0'.repeat(10));
  });

  test.each(['', 'sk-gw-v1-', 'Bearer x', `sk-gw-v1-${'0'.repeat(49)}`, `xk-gw-v1-${'0'.repeat(49)}`])(
    'is not %p',
    (text) => {
      expect(isWellFormedKey(text)).toBe(false);
    },
  );

  test('is stored by its SHA-256, and shown only by its ends', () => {
    const key = generateKey('normal', () => new Uint8Array(32));
    expect(hashKey(key)).toMatch(/^[0-9a-f]{64}$/);
    expect(labelKey(key)).toBe(`sk-gw-v1-000...${key.slice(-3)}`);
  });
});
