import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { askedOf, ENGINES } from './requests.ts';

const folder = mkdtempSync(join(tmpdir(), 'genway-requests-'));
afterAll(() => rmSync(folder, { recursive: true }));

function noted(...lines: string[]): string {
  const file = join(folder, 'requests');
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

test('requests are counted by engine, and refusals by kind', async () => {
  const get = 's3 GET 404 NoSuchKey';
  const file = noted('dynamodb GetItem 200 ', get, 's3 PUT 200 ', get, 'sqs SendMessage 200 ');
  expect(await askedOf(file, ENGINES)).toBe(
    '1 requests to dynamodb\n3 requests to s3\n  2 × GET 404 NoSuchKey\n1 requests to sqs',
  );
});

test('a run that has not reached an engine has shown nothing', async () => {
  await expect(askedOf(noted('dynamodb GetItem 200 ', 's3 PUT 200 '), ENGINES)).rejects.toThrow(
    'no request to sqs',
  );
  await expect(askedOf(join(folder, 'none'), ['dynamodb'])).rejects.toThrow('no request to dynamodb');
});
