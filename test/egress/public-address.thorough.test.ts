import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress } from '../../functions/egress/guarded-dispatcher.ts';

/** The first and the last address of each block in IANA's special-purpose registries. */
const NOT_PUBLIC_V4: readonly [string, string][] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
];

const toNumber = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const toAddress = (number: number) =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
const isListed = (number: number) =>
  NOT_PUBLIC_V4.some(([first, last]) => toNumber(first) <= number && number <= toNumber(last));

describe('an IPv4 address', () => {
  test.each(NOT_PUBLIC_V4)(
    'from %s to %s is not public, and its neighbours are as the table says',
    (first, last) => {
      expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false]);
      for (const neighbour of [toNumber(first) - 1, toNumber(last) + 1]) {
        if (neighbour < 0 || neighbour > 0xffffffff) continue;
        expect(isPublicAddress(toAddress(neighbour))).toBe(!isListed(neighbour));
      }
    },
  );

  test('in any range is as the table says, and its IPv6 forms are never public', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (number) => {
        const address = toAddress(number);
        expect(isPublicAddress(address)).toBe(!isListed(number));
        const hex = number
          .toString(16)
          .padStart(8, '0')
          .replace(/(.{4})(.{4})/, '$1:$2');
        for (const carried of [`::ffff:${address}`, `::${address}`, `64:ff9b::${hex}`, `2002:${hex}::1`]) {
          expect(isPublicAddress(carried)).toBe(false);
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('an IPv6 address', () => {
  test.each(['2606:4700::1111', '2a00:1450:4001::200e', '2001:200::1', '2400::1', '3ffe::1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each([
    ...['::', '::1', 'fe80::1', 'fc00::1', 'fd00:ec2::254', 'ff02::1', '100::1', '5f00::1', '4000::1'],
    ...['2001::1', '2001:1ff::1', '2001:db8::1', '2002::1', '3fff::1', '3fff:fff::1', '1fff::1'],
  ])('%s is not', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

test.each(['', 'localhost', '1.2.3', '0x7f.1', '2130706433', 'fe80::1%eth0', '8.8.8.8 '])(
  '%j is not an address',
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);
