import { describe, expect, test } from '@jest/globals';
import { readPartHeader } from '../../../functions/files/upload/multipart-headers.ts';
import { MalformedMultipart } from '../../../functions/files/upload/multipart-scanner.ts';

const read = (...lines: string[]) => readPartHeader(Buffer.from(lines.join('\r\n')));
const DISPOSITION = 'Content-Disposition: form-data; name="file"';

describe('a part’s header', () => {
  test.each([
    [[`${DISPOSITION}; filename="a.txt"`], 'a.txt'],
    [[`${DISPOSITION}; filename=a.txt`, 'Content-Type: text/plain'], 'a.txt'],
    [['content-type: text/plain', `${DISPOSITION}; filename="naïve 🦊.txt"`], 'naïve 🦊.txt'],
    [[`${DISPOSITION}; filename="a.txt"; filename*=UTF-8''na%C3%AFve.txt`], 'naïve.txt'],
    [[`${DISPOSITION}; filename*=utf-8'en'na%c3%afve.txt; filename="a.txt"`], 'naïve.txt'],
    [[`${DISPOSITION}; filename*=ISO-8859-1''na%EFve.txt`], 'naïve.txt'],
    [[`${DISPOSITION}; filename="%22quoted%22 %0D%0A.txt"`], '"quoted" %0D%0A.txt'],
    [[`${DISPOSITION}; filename="..\\..\\x"`], '..\\..\\x'],
    [[`${DISPOSITION}; filename=""`], ''],
    [[DISPOSITION, 'Content-Type: application/octet-stream'], ''],
    [[DISPOSITION], undefined],
    [['Content-Disposition: form-data;', '\tname="file"; filename="folded.txt"'], 'folded.txt'],
    [['X-One: 1', 'X-One: 2', `${DISPOSITION}; filename="a"`], 'a'],
  ])('%j names a file %p', (lines, filename) => {
    expect(read(...lines)).toMatchObject({ name: 'file', filename });
  });

  test.each([
    [['x'], 'a header of a part does not have the form "name: value"'],
    [[''], 'a part must have the header "content-disposition: form-data" with a name'],
    [[DISPOSITION, DISPOSITION], 'a part has two content-disposition headers; send one'],
    [
      ['Content-Type: text/plain'],
      'a part must have the header "content-disposition: form-data" with a name',
    ],
    [
      [`${DISPOSITION}; filename*=UTF-8''%`],
      "filename* must be encoded as RFC 5987 requires, for example UTF-8''na%C3%AFve.txt",
    ],
  ])('%j is refused: %s', (lines, why) => {
    expect(() => read(...lines)).toThrow(
      expect.objectContaining({ status: 400, message: new MalformedMultipart(why).message }),
    );
  });

  test('has its type and all of its fields, those of one name in one', () => {
    const { contentType, fields } = read('X-One: 1', 'x-one:2 ', 'Content-Type: a/b', DISPOSITION);
    expect(contentType).toBe('a/b');
    expect(Object.fromEntries(fields)).toEqual({
      'x-one': '1, 2',
      'content-type': 'a/b',
      'content-disposition': 'form-data; name="file"',
    });
    expect(read(DISPOSITION).contentType).toBeUndefined();
  });

  test.each([
    [['']],
    [['Content-Type: text/plain']],
    [['Content-Disposition: attachment; name="file"']],
    [['Content-Disposition: form-data']],
    [['Content-Disposition: form-data; filename="a"']],
    [[DISPOSITION, DISPOSITION]],
    [[`\uFEFF${DISPOSITION}`]],
    [[DISPOSITION, 'no colon']],
    [[DISPOSITION, ': no name']],
    [[DISPOSITION, 'spaced name: x']],
    [[`${DISPOSITION}; filename="a\nb"`]],
    [[`${DISPOSITION}; filename="a\rb"`]],
    [[`${DISPOSITION}; filename*=UTF-8''%`]],
    [[`${DISPOSITION}; filename*=UTF-8''%zz`]],
    [[`${DISPOSITION}; filename*=UTF-8''%FF`]],
    [[`${DISPOSITION}; filename*=UTF-16''a`]],
    [[`${DISPOSITION}; filename*=a.txt`]],
  ])('%j is refused', (lines) => {
    expect(() => read(...lines)).toThrow('The multipart body is malformed');
  });

  test('must be UTF-8', () => {
    const latin1 = Buffer.from(`${DISPOSITION}; filename="na\xefve"`, 'latin1');
    expect(() => readPartHeader(latin1)).toThrow('must be UTF-8');
  });
});
