import { describe, expect, test } from '@jest/globals';
import { readBoundary } from '../../../functions/files/upload/multipart-headers.ts';
import { InvalidRequest } from '../../../functions/http/errors.ts';

describe('a boundary', () => {
  test.each([
    ['multipart/form-data; boundary=x', 'x'],
    ['Multipart/Form-Data; charset=utf-8; Boundary="x"', 'x'],
    ['multipart/form-data; boundary="with space"', 'with space'],
    ["multipart/form-data; boundary=0'()+_,-./:=?9", "0'()+_,-./:=?9"],
    [`multipart/form-data; boundary=${'a'.repeat(70)}`, 'a'.repeat(70)],
    [
      'multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW',
      '----WebKitFormBoundary7MA4YWxkTrZu0gW',
    ],
  ])('is read from %s', (contentType, boundary) => {
    expect(readBoundary(contentType)).toBe(boundary);
  });

  test.each([
    undefined,
    '',
    'application/json',
    'multipart/mixed; boundary=x',
    'multipart/form-data-x; boundary=x',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    'multipart/form-data; boundary="ends with space "',
    'multipart/form-data; boundary="a\r\nb"',
    'multipart/form-data; boundary=ünïcode',
    'multipart/form-data; boundary=a; boundary=b',
    `multipart/form-data; boundary=${'a'.repeat(71)}`,
  ])('is refused in %p', (contentType) => {
    expect(() => readBoundary(contentType)).toThrow(/boundary|multipart\/form-data/);
    expect(() => readBoundary(contentType)).toThrow(
      expect.objectContaining({ metadata: { path: 'content-type' } }),
    );
  });

  test.each([
    ['text/plain; boundary=x', 'The body must be multipart/form-data with one part named file'],
    [
      'multipart/form-data; boundary=""',
      'The content-type must contain the boundary of the multipart body: 1 to 70 of the characters that RFC 2046 allows',
    ],
  ])('that is missing in %s is asked for', (contentType, message) => {
    expect(() => readBoundary(contentType)).toThrow(new InvalidRequest(message));
  });
});
