import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { defaultProvider } from '../../functions/aws/lambda-credentials.ts';

const before = { ...process.env };
beforeEach(() => {
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'first', AWS_SECRET_ACCESS_KEY: 's' });
});
afterEach(() => {
  process.env = { ...before };
});

async function idsOfTwoCalls(expiration: Date | undefined): Promise<string[]> {
  if (expiration !== undefined) process.env.AWS_CREDENTIAL_EXPIRATION = expiration.toISOString();
  const provide = defaultProvider();
  const { accessKeyId: first } = await provide();
  process.env.AWS_ACCESS_KEY_ID = 'second';
  const { accessKeyId: second } = await provide();
  return [first, second];
}

test.each([
  ['that do not expire are read once', undefined, ['first', 'first']],
  ['that expire in an hour are read once', 3_600_000, ['first', 'first']],
  ['that expire in a minute are read again', 60_000, ['first', 'second']],
])('credentials %s', async (_, milliseconds, ids) => {
  const expiration = milliseconds === undefined ? undefined : new Date(Date.now() + milliseconds);
  expect(await idsOfTwoCalls(expiration)).toEqual(ids);
});

test('a function without credentials says so', async () => {
  delete process.env.AWS_ACCESS_KEY_ID;
  await expect(defaultProvider()()).rejects.toThrow('Unable to find environment variable credentials.');
});
