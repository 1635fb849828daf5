import { spawnSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { curlLine } from '../../../console/videos/sent-requests.ts';

/** The arguments that a POSIX shell finds in the line. Here `curl` is a function that prints its arguments. */
function argumentsOf(line: string): string[] {
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${line}`;
  const { stdout, stderr } = spawnSync('sh', ['-c', script], {
    env: { GENWAY_API_KEY: 'sk-gw-v1-x' },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout.split('\0').slice(0, -1);
}

test.each([
  'A red fox',
  "it's",
  `'; touch /tmp/owned; '`,
  '$(id) `id` $HOME \\ "quoted" !!',
  'two\nlines\t<b>',
  '🦊 “snow”',
])('a shell passes on %j as it is', (prompt) => {
  const body = { model: 'm', prompt };
  const sent = argumentsOf(curlLine('POST', 'https://x.example/api/v1/videos', body));
  expect(sent).toEqual([
    '-sS',
    '-X',
    'POST',
    'https://x.example/api/v1/videos',
    '-H',
    'Authorization: Bearer sk-gw-v1-x',
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify(body),
  ]);
});

test('what only reads has no body', () => {
  expect(argumentsOf(curlLine('GET', 'https://x.example/v'))).toEqual([
    '-sS',
    'https://x.example/v',
    '-H',
    'Authorization: Bearer sk-gw-v1-x',
  ]);
});
