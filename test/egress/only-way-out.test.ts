import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '../..');

/** What opens a connection by itself. Ports named `fetch` are handed in and called as a member. */
const WAYS_OUT =
  /(?<![.\w])fetch\(|^import (?!type )[^;]* from '(undici|node:(https?|net|tls|http2|dgram))'/m;

test('no function reaches the network but through the egress module or an AWS client', () => {
  const others = globSync('functions/**/*.ts', { cwd: ROOT }).filter(
    (file) => !file.startsWith('functions/egress/'),
  );
  const ways = others.filter((file) => WAYS_OUT.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(ways.toSorted()).toEqual([
    // To S3 alone.
    'functions/aws/object-upload/exchange.ts',
    // Listens, and opens nothing.
    'functions/endpoints/files/upload-server/upload-server.ts',
  ]);
});
