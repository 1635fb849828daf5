import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { cleanEnvironment } from '../../local/emulator/aws-access.ts';
import { call, stage } from './stage.ts';

test('a deployed stage keeps its promises, and verify writes a report', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'genway-verify-'));
  const file = join(folder, 'report.md');
  const key = stage.managementKey;
  const env = { ...cleanEnvironment(), GENWAY_URL: stage.baseUrl, GENWAY_API_KEY: key };
  const args = ['bin/genway.ts', 'verify', '--report', file, '--json'];
  // Not synchronously: a blocked loop does not close the connections that an earlier test file left, and `fetch` would
  // then send on one that the local edge has closed.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env });
  expect(stderr).toBe('');
  const { results } = JSON.parse(stdout);
  expect(results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    ...Array.from({ length: 4 }, () => 'passed'),
    // Without CloudFront the stack has no edge to check.
    'skipped',
    ...Array.from({ length: 5 }, () => 'passed'),
  ]);
  expect(readFileSync(file, 'utf8')).toMatch(
    /\| completes the demo \| passed \| \d+ \| .*video 1280x720, 4 s/,
  );
  rmSync(folder, { recursive: true });
  const { body } = await call('GET', '/workspaces?limit=100', { key });
  const slugs = body.data.map(({ slug }: { slug: string }) => slug);
  expect(slugs.filter((slug: string) => slug.startsWith('verify-'))).toEqual([]);
});
