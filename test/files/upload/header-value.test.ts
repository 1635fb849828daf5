import { describe, expect, test } from '@jest/globals';
import { parseHeaderValue } from '../../../functions/files/upload/multipart-headers.ts';

const parsed = (text: string) => {
  const header = parseHeaderValue(text);
  return header && { value: header.value, ...Object.fromEntries(header.parameters) };
};

describe('a header value', () => {
  test.each([
    ['form-data', { value: 'form-data' }],
    ['Form-Data; Name="file"', { value: 'form-data', name: 'file' }],
    ['form-data; name=file ; filename=a.txt', { value: 'form-data', name: 'file', filename: 'a.txt' }],
    ['form-data;name="a;b";filename="c=d"', { value: 'form-data', name: 'a;b', filename: 'c=d' }],
    ['form-data; name="say \\"hi\\" \\\\ C:\\x"', { value: 'form-data', name: 'say "hi" \\ C:\\x' }],
    ['form-data; name=""', { value: 'form-data', name: '' }],
    ["form-data; filename*=UTF-8''a%20b", { value: 'form-data', 'filename*': "UTF-8''a%20b" }],
    ['multipart/form-data; boundary=a:b=c/d', { value: 'multipart/form-data', boundary: 'a:b=c/d' }],
    ['form-data;', { value: 'form-data' }],
    ['form-data; name="x"; ', { value: 'form-data', name: 'x' }],
    ['form-data; name="x"   ', { value: 'form-data', name: 'x' }],
    ['form-data; name = "x" ; filename = y z ', { value: 'form-data', name: 'x', filename: 'y z' }],
    ['form-data; name=', { value: 'form-data', name: '' }],
    ['form-data; name=;', { value: 'form-data', name: '' }],
  ])('%s is read', (text, expected) => {
    expect(parsed(text)).toEqual(expected);
  });

  test.each([
    'form-data; name="open',
    'form-data; name="open;',
    'form-data; name=a"b"',
    'form-data; name=x;;',
    'form-data;; name=x',
    'form-data; name="a" rest',
    'form-data; name="a"b',
    'form-data; ="a"',
    'form-data; name',
    'form-data; name="a"; name="b"',
    'form-data; NAME=a; name=b',
  ])('%s is malformed', (text) => {
    expect(parsed(text)).toBeUndefined();
  });
});
