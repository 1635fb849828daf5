import { describe, expect, test } from '@jest/globals';
import { checkUrl, EgressRefused, parseAllowedHosts } from '../../functions/egress/url-policy.ts';

const none = parseAllowedHosts('');

describe('a public address', () => {
  test.each([
    'https://hooks.example.com/',
    'https://example.com/',
    'https://hooks.example.com:443/a?b=c',
    'https://hooks.example.com:8443/',
    'https://HOOKS.Example.COM/',
    'https://xn--bcher-kva.example.com/',
    `https://${'a'.repeat(63)}.example.com/`,
    `https://${'a.'.repeat(121)}example.com/`,
    `https://hooks.example.com/${'a'.repeat(2048 - 26)}`,
    `https://hooks.example.com/${'é'.repeat((2048 - 26) / '%C3%A9'.length)}`,
  ])('%s passes', (url) => {
    expect(checkUrl(url, none)).toBeInstanceOf(URL);
  });
});

/** Every known way to write an internal address. */
const HOSTILE = [
  'http://hooks.example.com/',
  'ftp://hooks.example.com/',
  'file:///etc/passwd',
  'gopher://hooks.example.com/',
  'javascript:alert(1)',
  'not a url',
  '',
  '//hooks.example.com/',
  'https://',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://127.0.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://017700000001/',
  'https://0/',
  'https://10.0.0.7/',
  'https://169.254.169.254/latest/meta-data/',
  'https://0xa9fea9fe/',
  'https://2852039166/',
  'https://169.254.170.2/',
  'https://192.168.0.1/',
  'https://8.8.8.8/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://１２７.0.0.1/',
  'https://127.0.0.1./',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[::127.0.0.1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[2002:7f00:1::1]/',
  'https://[fd00:ec2::254]/',
  'https://[fe80::1]/',
  'https://[2606:4700::1111]/',
  'https://localhost/',
  'https://LOCALHOST/',
  'https://localhost./',
  'https://a.localhost/',
  'https://intranet/',
  'https://printer/',
  'https://hooks.example.com./',
  'https://.example.com/',
  'https://hooks..example.com/',
  `https://${'a'.repeat(64)}.example.com/`,
  `https://${'a.'.repeat(121)}examples.com/`,
  'https://printer.local/',
  'https://metadata.google.internal/',
  'https://a.test/',
  'https://a.invalid/',
  'https://hooks.example/',
  'https://a.onion/',
  'https://router.home.arpa/',
  'https://user@hooks.example.com/',
  'https://user:pass@hooks.example.com/',
  'https://hooks.example.com:pass@127.0.0.1/',
  'https://127.0.0.1\\@hooks.example.com/',
  'https://127.0.0.1%2f@hooks.example.com/',
  'https://hooks.example.com#@127.0.0.1/',
  'https://hooks.example.com/#fragment',
  'https://hooks.example.com:22/',
  'https://hooks.example.com:6379/',
  'https://hooks.example.com:9001/',
  'https://hooks.example.com:80/',
  'https://hooks.example.com:65536/',
  `https://hooks.example.com/${'a'.repeat(2049 - 26)}`,
  `https://hooks.example.com/${'é'.repeat((2048 - 26) / '%C3%A9'.length)}a`,
  // The parser takes tabs out.
  `https://hooks.example.com/${'\t'.repeat(2049 - 26)}`,
];

describe('a URL that leads or could lead inside', () => {
  test.each(HOSTILE)('%s is refused', (url) => {
    expect(() => checkUrl(url, none)).toThrow(EgressRefused);
  });

  test.each([
    [`https://hooks.example.com/${'a'.repeat(2048)}`, 'must be at most 2048 characters'],
    [`https://hooks.example.com/${'é'.repeat(1000)}`, 'must be at most 2048 characters when escaped'],
    ['not a url', 'must be a valid URL'],
    ['https://user@hooks.example.com/', 'must not contain credentials'],
    ['https://hooks.example.com/#fragment', 'must not have a fragment'],
    ['http://hooks.example.com/', 'must be an https URL'],
    ['https://hooks.example.com:22/', 'must use port 443 or 8443'],
    ['https://8.8.8.8/', 'must have a host name, not an IP address'],
    ['https://[2606:4700::1111]/', 'must have a host name, not an IP address'],
    ['https://a.localhost/', 'must have a public host name'],
  ])('%s: %s', (url, rule) => {
    expect(() => checkUrl(url, none)).toThrow(new EgressRefused(rule));
  });

  test('is refused in every spelling', () => {
    expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(44);
  });
});

describe('a host that the deployer has allowed', () => {
  test('is one of a list in which nothing stands for nobody', () => {
    expect(parseAllowedHosts('')).toEqual(new Set());
    expect(parseAllowedHosts('a,,b:1')).toEqual(new Set(['a', 'b:1']));
  });

  const allowed = parseAllowedHosts('127.0.0.1:9000,receiver');

  test.each([
    'http://127.0.0.1:9000/x',
    'https://127.0.0.1:9000/',
    'http://receiver/',
    'http://receiver:81/',
  ])('is reached as %s', (url) => {
    expect(checkUrl(url, allowed)).toBeInstanceOf(URL);
  });

  test.each([
    ...['http://127.0.0.1/', 'http://127.0.0.1:9001/', 'http://a.receiver/', 'http://receiver.evil.com/'],
    ...['ftp://receiver/', 'http://user@receiver/'],
  ])('allows no other host: %s', (url) => {
    expect(() => checkUrl(url, allowed)).toThrow(EgressRefused);
  });
});
