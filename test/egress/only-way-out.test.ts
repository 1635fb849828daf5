import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Code that opens connections itself. Functions that get `fetch` as an argument call it as a member, so they do not
 * match.
 */
const WAYS_OUT =
  /(?<![.\w])fetch\(|^import (?!type )[^;]* from '(undici|node:(https?|net|tls|http2|dgram))'/m;

test('functions call the network only through the egress module or an AWS client', () => {
  const others = globSync('functions/**/*.ts', { cwd: ROOT }).filter(
    (file) => !file.startsWith('functions/egress/'),
  );
  const ways = others.filter((file) => WAYS_OUT.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(ways.toSorted()).toEqual([
    // Connects to S3 only.
    'functions/aws/object-upload/exchange.ts',
    // Only accepts connections.
    'functions/endpoints/files/upload-server/upload-server.ts',
    // Compares addresses, and calls none.
    'functions/keys/networks.ts',
  ]);
});
