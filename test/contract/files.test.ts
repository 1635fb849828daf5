import { crc32 } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { writtenCrc32 } from '../../functions/aws/object-upload/part.ts';
import { call, form, newWorkspace, stage } from './stage.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const upload = (body: FormData, key = stage.apiKey, headers: Record<string, string> = {}) =>
  call('POST', '/files', { key, headers, body });

describe('a file', () => {
  test('is uploaded, described, and downloaded byte for byte', async () => {
    const { status, headers: uploaded, body } = await upload(form(PNG, 'fox.txt'));
    expect(status).toBe(200);
    expect(body).toEqual({
      _shape: 'native',
      id: expect.stringMatching(/^gw_file_[0-9a-z]{26}$/),
      type: 'file',
      filename: 'fox.txt',
      mime_type: 'image/png',
      size_bytes: PNG.length,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      downloadable: true,
    });
    const found = await call('GET', `/files/${body.id}`, { key: stage.apiKey });
    expect(found.body).toEqual(body);
    const checksum = writtenCrc32(crc32(PNG));
    expect([uploaded, found.headers].map((each) => each.get('x-checksum-crc32'))).toEqual([
      checksum,
      checksum,
    ]);

    const content = await call('GET', `/files/${body.id}/content`, { key: stage.apiKey });
    expect([content.status, content.headers.get('x-checksum-crc32')]).toEqual([302, checksum]);
    const download = await fetch(content.headers.get('location')!);
    expect(download.headers.get('content-type')).toBe('application/octet-stream');
    expect(download.headers.get('content-disposition')).toContain('attachment');
    expect(Buffer.from(await download.arrayBuffer())).toEqual(PNG);

    const range = await fetch(content.headers.get('location')!, { headers: { range: 'bytes=1-3' } });
    expect([range.status, range.headers.get('content-range'), await range.text()]).toEqual([
      206,
      `bytes 1-3/${PNG.length}`,
      'PNG',
    ]);
  });

  test('gets its type from its bytes, whatever its name says', async () => {
    expect((await upload(form('Just a line of text.\n', 'a.pdf'))).body.mime_type).toBe('text/plain');
    expect((await upload(form('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n', 'a.txt'))).body.mime_type).toBe(
      'application/pdf',
    );
    const jpeg = Buffer.from(
      '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
      'base64',
    );
    expect((await upload(form(jpeg, 'a'))).body.mime_type).toBe('image/jpeg');
  });

  test('of 4 MiB is accepted, and keeps a name in any script with folders', async () => {
    const text = 'words and more words\n'.repeat(200_000).slice(0, 4 * 1024 * 1024);
    const { status, body } = await upload(form(text, 'Ärger/日本 🦊.txt'));
    expect(status).toBe(200);
    expect(body).toMatchObject({ filename: 'Ärger/日本 🦊.txt', size_bytes: text.length });
  });

  test('of another workspace is not found, like one that does not exist', async () => {
    const { key } = await newWorkspace();
    const { body } = await upload(form('mine'), key);
    expect((await call('GET', `/files/${body.id}`, { key })).status).toBe(200);
    const foreign = await call('GET', `/files/${body.id}`, { key: stage.apiKey });
    const unknown = await call('GET', `/files/gw_file_${'0'.repeat(26)}`, { key: stage.apiKey });
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual(unknown.body);
    expect((await call('GET', `/files/${body.id}/content`, { key: stage.apiKey })).status).toBe(404);
  });
});

describe('an upload', () => {
  const twoFiles = () => {
    const data = form('a');
    data.append('file', new Blob(['b']), 'b.txt');
    return data;
  };
  const otherPart = () => {
    const data = new FormData();
    data.append('document', new Blob(['a']), 'a.txt');
    return data;
  };
  const plainField = () => {
    const data = new FormData();
    data.append('file', 'not a file');
    return data;
  };
  const withPurpose = () => {
    const data = form('a');
    data.append('purpose', 'fun');
    return data;
  };

  test.each<[string, () => FormData, RegExp]>([
    ['is empty', () => form(''), /empty/],
    [
      'is a ZIP',
      () => form(Buffer.from('504b0506000000000000000000000000000000000000', 'hex')),
      /application\/pdf/,
    ],
    [
      'is not UTF-8',
      () => form(Buffer.from('Caf\u00e9 au lait, s\u2019il vous pla\u00eet', 'latin1')),
      /UTF-8|accepted/i,
    ],
    ['holds two files', twoFiles, /one part named file/],
    ['holds no part named file', otherPart, /one part named file/],
    ['holds a plain field named file', plainField, /filename/],
    ['has an unknown purpose', withPurpose, /^purpose: must be one of/],
    ['has a name that climbs', () => form('a', '../../etc/passwd'), /^filename:/],
    ['has a name that is too long', () => form('a', 'a'.repeat(256)), /^filename:/],
  ])('that %s is refused', async (_, body, message) => {
    const answer = await upload(body(), stage.apiKey, { 'x-genway-strict': 'false' });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toMatch(message);
    expect(answer.body.error.metadata.error_type).toBe('invalid_request');
  });

  test.each<[string, string | undefined, string]>([
    ['is JSON', 'application/json', '{}'],
    ['has no boundary', 'multipart/form-data', 'x'],
    [
      'is cut off',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
    ],
    ['is empty', 'multipart/form-data; boundary=b', ''],
  ])('whose body %s is refused', async (_, type, body) => {
    const headers = type === undefined ? {} : { 'content-type': type };
    const answer = await call('POST', '/files', { key: stage.apiKey, headers, body });
    expect(answer.status).toBe(400);
  });
});
