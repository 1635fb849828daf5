import { describe, expect, test } from '@jest/globals';
import { checkedFilename } from '../../functions/files/file.ts';
import { InvalidRequest } from '../../functions/http/errors.ts';

const FOX = '🦊';

describe('the name of a file', () => {
  test.each([
    ['a.txt'],
    ['naïve 🦊.txt'],
    ['a/b/c.txt'],
    ['...'],
    ['..a/.b'],
    ['a'.repeat(255)],
    [FOX.repeat(255)],
  ])('may be %s', (name) => {
    expect(checkedFilename(name)).toBe(name);
  });

  test('has a word in its place where there is none', () => {
    expect(checkedFilename('')).toBe('upload');
  });

  test.each([
    ['a'.repeat(256), 'filename: must be at most 255 characters'],
    [FOX.repeat(256), 'filename: must be at most 255 characters'],
    ['a'.repeat(511), 'filename: must be at most 255 characters'],
    ['a\nb', 'filename: must not contain control characters'],
    ['a\u0085', 'filename: must not contain control characters'],
    ...['/a', 'a/', 'a//b', '.', '..', 'a/../b', './a'].map((name) => [
      name,
      'filename: must not begin or end with "/", or contain an empty, "." or ".." segment',
    ]),
  ])('may not be %j', (name = '', message = '') => {
    expect(() => checkedFilename(name)).toThrow(
      new InvalidRequest(message, { metadata: { path: 'filename' } }),
    );
  });
});
