import { describe, expect, test } from '@jest/globals';
import { contains, isNetwork, isWithin } from '../../functions/keys/networks.ts';

describe('a network', () => {
  test.each(['203.0.113.0/24', '203.0.113.7', '0.0.0.0/0', '2001:db8::/32', '::1', '::/0', '10.0.0.0/32'])(
    'is %s',
    (text) => expect(isNetwork(text)).toBe(true),
  );

  test.each([
    '',
    '203.0.113.0/33',
    '203.0.113.0/-1',
    '203.0.113.0/024',
    '203.0.113.0/',
    '203.0.113.0/24/24',
    '203.0.113/24',
    '0x7f.1',
    '010.0.0.1',
    '2001:db8::/129',
    'fe80::1%eth0',
    '::ffff:203.0.113.0/120',
    '::ffff:cb00:7100/120',
    'example.com',
  ])('is not "%s"', (text) => expect(isNetwork(text)).toBe(false));
});

describe('an address', () => {
  test.each([
    ['203.0.113.0/24', '203.0.113.255'],
    ['203.0.113.77/24', '203.0.113.1'],
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.0/24', '::ffff:203.0.113.9'],
    ['0.0.0.0/0', '198.51.100.1'],
    ['2001:db8::/32', '2001:DB8:ffff::1'],
    ['::/0', '2001:db8::1'],
  ])('is in %s: %s', (network, address) => expect(isWithin(network, address)).toBe(true));

  test.each([
    ['203.0.113.0/24', '203.0.114.0'],
    ['203.0.113.7', '203.0.113.8'],
    ['203.0.113.0/24', undefined],
    ['203.0.113.0/24', ''],
    ['203.0.113.0/24', '203.0.113.1, 198.51.100.1'],
    ['203.0.113.0/24', '203.0.113.1:443'],
    ['203.0.113.0/24', '::203.0.113.1'],
    ['203.0.113.0/24', '64:ff9b::203.0.113.1'],
    ['::/0', '198.51.100.1'],
    ['::/0', '::ffff:198.51.100.1'],
    ['0.0.0.0/0', '2001:db8::1'],
    ['2001:db8::/32', '2001:db8::1%eth0'],
    ['nonsense', '203.0.113.1'],
  ])('is not in %s: %s', (network, address) => expect(isWithin(network, address)).toBe(false));
});

test.each<[string, string, boolean]>([
  ['10.0.0.0/8', '10.1.0.0/16', true],
  ['10.0.0.0/8', '10.0.0.0/8', true],
  ['10.0.0.0/8', '10.255.255.255', true],
  ['10.0.0.0/8', '10.0.0.0/7', false],
  ['10.0.0.0/8', '11.0.0.0/16', false],
  ['10.0.0.0/8', '::/0', false],
  ['::/0', '10.0.0.0/8', false],
  ['2001:db8::/32', '2001:db8:1::/48', true],
  ['2001:db8:1::/48', '2001:db8::/32', false],
])('%s contains %s: %s', (outer, inner, expected) => expect(contains(outer, inner)).toBe(expected));
