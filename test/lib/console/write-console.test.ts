import { gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { contentSecurityPolicy } from '../../../lib/console/page-headers.ts';
import { consoleFiles } from '../../../lib/console/write-console.ts';

const files = await consoleFiles();

test('the whole console is at most 130 kB, compressed', () => {
  expect(files.length).toBeGreaterThan(3);
  const compressed = files.reduce((sum, { body }) => sum + gzipSync(body).length, 0);
  expect(compressed).toBeLessThanOrEqual(130_000);
});

test('the page comes last, is never cached, and names existing files', () => {
  const { key, cache_control, body } = files.at(-1)!;
  expect([key, cache_control]).toEqual(['console', 'no-cache']);
  const named = [...body.matchAll(/(?:href|src)="\/([^"]+)"/g)].map(([, path]) => path);
  expect(named).toHaveLength(3);
  expect(files.map((file) => file.key)).toEqual(expect.arrayContaining(named));
});

test('the page has no inline script or style, because its policy would refuse them', () => {
  expect(files.at(-1)!.body).not.toMatch(/<style|<script[^>]*>[^<]|\son\w+=|\sstyle=/);
});

test('a file that may be cached for ever has a digest in its name', () => {
  const kept = files.filter(({ cache_control }) => cache_control.includes('immutable'));
  expect(kept.length).toBeGreaterThan(2);
  for (const { key } of kept) expect(key).toMatch(/^console\/[a-z-]+-[A-Z0-9]{8}\.(js|css)$/);
});

describe('the policy', () => {
  const policy = contentSecurityPolicy(['https://bucket.example']);

  test('allows nothing from other origins except the targets of signed links', () => {
    expect(policy).not.toMatch(/unsafe|\*|http:/);
    expect([...policy.matchAll(/https:[^\s;]+/g)].map(([origin]) => origin)).toEqual([
      'https://bucket.example',
      'https://bucket.example',
      'https://bucket.example',
    ]);
  });

  test.each([
    "default-src 'none'",
    "script-src 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ])('says %s', (rule) => {
    expect(policy.split('; ')).toContain(rule);
  });
});
