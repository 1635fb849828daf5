import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { Checkout } from '../bin/new/change.ts';
import { forgottenPlaces } from './forgotten-places.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** This checkout, with changed text in some files and, optionally, without some files. */
function checkoutWith(change: (path: string, text: string) => string, without = ''): Checkout {
  return {
    read: (path) => change(path, readFileSync(join(ROOT, path), 'utf8')),
    list: (glob) => globSync(glob, { cwd: ROOT }).filter((path) => path !== without),
  };
}

const removing = (file: string, text: string) =>
  checkoutWith((path, whole) => (path === file ? whole.replace(text, '') : whole));

describe('what an endpoint or a provider needs', () => {
  test('is complete', () => {
    expect(forgottenPlaces(checkoutWith((_, text) => text))).toEqual([]);
  });

  test.each<[string, Checkout, string]>([
    [
      'a handler',
      checkoutWith((_, text) => text, 'functions/endpoints/videos/get-video.ts'),
      'endpoint get-video has a route but no handler file functions/endpoints/<area>/get-video.ts',
    ],
    [
      'a route',
      removing('functions/http/routes.ts', "\n  'get-video': keyed("),
      'functions/endpoints/videos/get-video.ts serves get-video, which has no row in functions/http/routes.ts',
    ],
    [
      'a line of lib/',
      removing('lib/rights.ts', "\n    'get-video': ["),
      'endpoint get-video has a route but no line in lib/ that says what its function may do',
    ],
    [
      'a description',
      removing('functions/openapi/videos.ts', "\n  'get-video': {"),
      'endpoint get-video has a route but no description in functions/openapi/',
    ],
    [
      'a row of the access matrix',
      removing('test/contract/access-rows.ts', "\n  'get-video': {"),
      'endpoint get-video has a route but no row in test/contract/access-rows.ts',
    ],
    [
      'a row of the AWS calls',
      removing('test/contract/aws-calls.test.ts', "\n  'get-video': ["),
      'endpoint get-video has a route but no row in test/contract/aws-calls.test.ts',
    ],
    [
      'a line of the registry',
      removing('functions/videos/providers/registry.ts', "'./fal.ts'"),
      'provider fal has an adapter but no line in functions/videos/providers/registry.ts',
    ],
    [
      'a test of the adapter',
      checkoutWith((_, text) => text, 'test/videos/providers/fal.test.ts'),
      'provider fal has an adapter but no test test/videos/providers/fal.test.ts',
    ],
    [
      "the vendor's address",
      checkoutWith((path, text) =>
        path.endsWith('/fal.ts') ? `${text}\nfetch('https://api.fal.example/v1')` : text,
      ),
      "provider fal has the sample's address in functions/videos/providers/fal.ts; put the vendor's own there",
    ],
  ])('is named in one sentence: %s', (_, checkout, sentence) => {
    expect(forgottenPlaces(checkout)).toEqual([sentence]);
  });
});
