import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { StreamedFile } from '../../../functions/files/upload/streamed-file.ts';
import { readUploadForm } from '../../../functions/files/upload/upload-form.ts';

/** Forms with one file, exactly as public clients send them. */
const bodies: [client: string, boundary: string, body: string, filename: string][] = [
  [
    'curl -F file=@naïve.txt',
    '------------------------d74496d66958873e',
    '--------------------------d74496d66958873e\r\n' +
      'Content-Disposition: form-data; name="file"; filename="naïve.txt"\r\n' +
      'Content-Type: text/plain\r\n\r\nwords\r\n' +
      '--------------------------d74496d66958873e--\r\n',
    'naïve.txt',
  ],
  [
    'curl, of a name with a quote in it',
    '------------------------d74496d66958873e',
    '--------------------------d74496d66958873e\r\n' +
      'Content-Disposition: form-data; name="file"; filename="a\\"b.txt"\r\n' +
      'Content-Type: application/octet-stream\r\n\r\nwords\r\n' +
      '--------------------------d74496d66958873e--\r\n',
    'a"b.txt',
  ],
  [
    '.NET MultipartFormDataContent',
    '"5f0c3b52-9c1e-5a63-8f5e-3a4f1d6d7e01"',
    '--5f0c3b52-9c1e-5a63-8f5e-3a4f1d6d7e01\r\n' +
      'Content-Type: text/plain\r\n' +
      'Content-Disposition: form-data; name=file; filename="=?utf-8?B?bmHDr3ZlLnR4dA==?="; filename*=utf-8\'\'na%C3%AFve.txt\r\n' +
      '\r\nwords\r\n--5f0c3b52-9c1e-5a63-8f5e-3a4f1d6d7e01--\r\n',
    'naïve.txt',
  ],
  [
    'Java, Apache HttpClient',
    'rT9_2-vKq0Zp4',
    '--rT9_2-vKq0Zp4\r\n' +
      'Content-Disposition: form-data; name="file"; filename="naïve.txt"\r\n' +
      'Content-Type: application/octet-stream\r\n' +
      'Content-Transfer-Encoding: binary\r\n\r\nwords\r\n--rT9_2-vKq0Zp4--\r\n',
    'naïve.txt',
  ],
  [
    'Java, OkHttp',
    '8b1c7ea1-5a94-4b7e-9c0d-2f1f0f5a8a11',
    '--8b1c7ea1-5a94-4b7e-9c0d-2f1f0f5a8a11\r\n' +
      'Content-Disposition: form-data; name="file"; filename="a.txt"\r\n' +
      'Content-Type: text/plain; charset=utf-8\r\nContent-Length: 5\r\n\r\nwords\r\n' +
      '--8b1c7ea1-5a94-4b7e-9c0d-2f1f0f5a8a11--\r\n',
    'a.txt',
  ],
  [
    'Python requests, of a name beyond ASCII',
    '0c5d4f1e2b3a49588776655443322110',
    '--0c5d4f1e2b3a49588776655443322110\r\n' +
      'Content-Disposition: form-data; name="file"; filename*=utf-8\'\'na%C3%AFve.txt\r\n\r\nwords\r\n' +
      '--0c5d4f1e2b3a49588776655443322110--\r\n',
    'naïve.txt',
  ],
  [
    'Python httpx',
    '9431149156168ab1c7ea15a944b7e9c0',
    '--9431149156168ab1c7ea15a944b7e9c0\r\n' +
      'Content-Disposition: form-data; name="purpose"\r\n\r\nuser_data\r\n' +
      '--9431149156168ab1c7ea15a944b7e9c0\r\n' +
      'Content-Disposition: form-data; name="file"; filename="na%22ive.txt"\r\nContent-Type: text/plain\r\n\r\nwords\r\n' +
      '--9431149156168ab1c7ea15a944b7e9c0--\r\n',
    'na"ive.txt',
  ],
  [
    'a browser',
    '----WebKitFormBoundary7MA4YWxkTrZu0gW',
    '------WebKitFormBoundary7MA4YWxkTrZu0gW\r\n' +
      'Content-Disposition: form-data; name="file"; filename="naïve.txt"\r\nContent-Type: text/plain\r\n\r\nwords\r\n' +
      '------WebKitFormBoundary7MA4YWxkTrZu0gW--\r\n',
    'naïve.txt',
  ],
  [
    'Go',
    '1f8ac10f23c5b5bc1167bda84b833e5c057a77d2',
    '--1f8ac10f23c5b5bc1167bda84b833e5c057a77d2\r\n' +
      'Content-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: application/octet-stream\r\n\r\nwords\r\n' +
      '--1f8ac10f23c5b5bc1167bda84b833e5c057a77d2--\r\n',
    'a.txt',
  ],
];

describe('a form as it is written by', () => {
  test.each(bodies)('%s', async (_, boundary, body, filename) => {
    const type = `multipart/form-data; boundary=${boundary}`;
    const source = Readable.from([Buffer.from(body)]);
    const form = await readUploadForm({ body: source, contentType: type }, () => new StreamedFile(text));
    expect(form).toEqual({ filename, purpose: 'user_data', file: 'words' });
  });
});
