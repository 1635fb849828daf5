import { createContext, runInContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { downloadsProgram } from '../../../lib/edge/program.ts';

/** Runs the program like CloudFront: with a bare global object, and one call for each response. */
function run(querystring: object, headers: object = {}) {
  const context = createContext({});
  runInContext(downloadsProgram(), context);
  context.event = {
    version: '1.0',
    context: { eventType: 'viewer-response', requestId: 'cloudfront-1' },
    viewer: { ip: '192.0.2.7' },
    request: { method: 'GET', uri: '/w/gw_file_1', querystring, headers: {}, cookies: {} },
    response: { statusCode: 200, statusDescription: 'OK', headers, cookies: {} },
  };
  // Only data leaves CloudFront's isolate, so the result passes through JSON.
  return JSON.parse(JSON.stringify(runInContext('handler(event)', context)));
}

test('a file is a download of plain bytes, whatever its type', () => {
  const stored = { 'content-type': { value: 'text/html' }, etag: { value: '"1"' } };
  expect(run({ filename: { value: 'a%20b.html' } }, stored)).toMatchObject({
    statusCode: 200,
    headers: {
      'content-type': { value: 'application/octet-stream' },
      'content-disposition': { value: "attachment; filename*=UTF-8''a%20b.html" },
      etag: { value: '"1"' },
    },
  });
});

test('a file without a name is a download too', () => {
  expect(run({}).headers['content-disposition']).toEqual({ value: 'attachment' });
});

test('the program is within CloudFront’s 10 KB, and has no name that a CloudFront Function lacks', () => {
  expect(Buffer.byteLength(downloadsProgram())).toBeLessThan(10_000);
  expect(downloadsProgram()).not.toMatch(/\b(require|exports|process|console|Buffer)\b/);
});
