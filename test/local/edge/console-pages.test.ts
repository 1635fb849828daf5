import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { consolePages } from '../../../local/edge/router.ts';

const folder = mkdtempSync(join(tmpdir(), 'genway-console-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = join(folder, 'site.json');
const site = (body: string) => [
  { key: 'console/main-A.js', content_type: 'text/javascript', cache_control: 'immutable', body: 'run()' },
  { key: 'console', content_type: 'text/html', cache_control: 'no-cache', body },
];
writeFileSync(file, JSON.stringify(site('<p>')));
const pages = consolePages('http://127.0.0.1:4566', file);

test('a file gets the same response as from the edge on AWS, with the policy of the page', () => {
  expect(pages('/console')).toEqual({
    status: 200,
    body: '<p>',
    headers: expect.objectContaining({
      'content-type': 'text/html',
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringContaining("connect-src 'self' http://127.0.0.1:4566;"),
      'x-content-type-options': 'nosniff',
    }),
  });
  expect(pages('/console/main-A.js')?.body).toBe('run()');
});

test.each(['/', '/api/v1/files', '/console/', '/console/other.js', '/consoles', '/console/../site.json'])(
  '%s is not a page',
  (uri) => {
    expect(pages(uri)).toBeUndefined();
  },
);

test('a new build shows at once', () => {
  writeFileSync(file, JSON.stringify(site('<b>')));
  expect(pages('/console')?.body).toBe('<b>');
});
