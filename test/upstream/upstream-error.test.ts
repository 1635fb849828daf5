import { describe, expect, test } from '@jest/globals';
import { presentable, readUpstreamError } from '../../functions/upstream/upstream-error.ts';
import { DecryptedKey } from '../../functions/videos/providers/provider.ts';

describe('a vendor’s error', () => {
  test.each([
    [{ error: { message: 'No', code: 'bad' } }, { message: 'No', code: 'bad' }],
    [{ error: { message: 'No', status: 'INVALID', type: 'other' } }, { message: 'No', code: 'INVALID' }],
    [{ error: 'No' }, { message: 'No' }],
    [{ detail: 'No' }, { message: 'No' }],
    [{ detail: [{ msg: 'No', type: 'missing' }] }, { message: 'No', code: 'missing' }],
    [{ base_resp: { status_code: 1026, status_msg: 'No' } }, { message: 'No', code: '1026' }],
    [
      { message: 'No', code: 7 },
      { message: 'No', code: '7' },
    ],
    [{ error: null }, {}],
    [{ detail: [] }, {}],
    [[], {}],
    ['<html>', {}],
    [undefined, {}],
  ])('%j is %j', (body, expected) => {
    expect(readUpstreamError(body)).toEqual(expected);
  });
});

describe('a vendor’s message', () => {
  test.each([
    ['the key itself', 'Bad key sk-1', 'Bad key [redacted]'],
    ['what looks like a key', 'Bad key abcdefgh1234567890abcdefgh', 'Bad key [redacted]'],
    ['a key with marks in it', 'Bad key abcdefgh1234\u200f567890abcdefgh', 'Bad key [redacted]'],
    ['a bearer', 'Sent Bearer abc to us', 'Sent [redacted] to us'],
    [
      'the query of an address',
      'See https://a.example/b?sig=1 now',
      'See https://a.example/b?[redacted] now',
    ],
    ['the name of a role', 'User: arn:aws:sts::1:assumed-role/a/b may not', 'User: [redacted] may not'],
    ['lines and controls', 'One\r\ntwo\u001b[31m', 'One two [31m'],
    ['marks that turn text around', 'Bad \u202eyek\u2066 \u200fagain', 'Bad yek again'],
    ['nothing of interest', ' Too long a prompt ', 'Too long a prompt'],
  ])('is shown without %s', (_, message, expected) => {
    expect(presentable(message, new DecryptedKey('sk-1').hideIn)).toBe(expected);
  });

  test.each(['sk/Abc:1+', 'SK/ABC:1+', 'sk/abc:1+', 'sk%2FAbc%3A1%2B', 'sk%2fAbc%3a1%2b'])(
    'does not repeat a key as %s',
    (said) => {
      expect(presentable(`Bad key ${said}, sorry`, new DecryptedKey('sk/Abc:1+').hideIn)).toBe(
        'Bad key [redacted], sorry',
      );
    },
  );

  test('is cut to 300 characters', () => {
    expect(presentable('a '.repeat(150))).toHaveLength(299);
    expect(presentable('ab '.repeat(101))).toBe(`${'ab '.repeat(100)}…`);
  });

  test('has only whole characters, wherever it is cut', () => {
    expect(presentable('half a \ud83e')).toBe('half a \ufffd');
    expect(presentable(`a${' a'.repeat(149)}🦊 b`)).toBe(`a${' a'.repeat(149)}\ufffd…`);
  });

  test('is read up to 4,096 characters, and a key that is cut there is not shown', () => {
    const blanks = ' '.repeat(4080);
    expect(presentable(`${blanks}Bad key`)).toBe('Bad key');
    expect(presentable(`${blanks}Bad key ABCDEFGH1234567890ABCDEFGH`)).toBe('Bad key [redacted]');
    expect(presentable(`${' '.repeat(5000)}late`)).toBe('[redacted]');
    expect(presentable(`${blanks}It is Sesame-and-more`, new DecryptedKey('Sesame-and-more').hideIn)).toBe(
      'It is [redacted]',
    );
  });

  test('keeps a long word without a digit, and removes one with a digit', () => {
    expect(presentable('a'.repeat(24))).toBe('a'.repeat(24));
    expect(presentable(`${'a'.repeat(22)}1`)).toBe(`${'a'.repeat(22)}1`);
    expect(presentable(`${'a'.repeat(23)}1`)).toBe('[redacted]');
    expect(presentable(`https://a.example/${'a'.repeat(23)}1/b`)).toBe('https://a.example/[redacted]/b');
  });
});
