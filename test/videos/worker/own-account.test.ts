import { describe, expect, test } from '@jest/globals';
import { ownAccount } from '../../../functions/videos/worker/provider-contexts.ts';
import { accountPorts } from '../providers/account-fixture.ts';

const account = (aws?: { region: string; bucket: string }, endpoint?: string) =>
  ownAccount(aws === undefined ? {} : { aws }, { ...accountPorts, endpoint });

describe('the stage’s own account', () => {
  test('is by default in the stage’s region', async () => {
    const { bucket, address, link } = account();
    expect([bucket, address('bedrock-runtime')]).toEqual([
      'results',
      'https://bedrock-runtime.us-east-1.amazonaws.com',
    ]);
    expect(await link('a/b.mp4')).toMatch(/^https:\/\/results\.s3\.us-east-1\.amazonaws\.com\/a\/b\.mp4\?/);
  });

  test('is in another region if the stage says so', async () => {
    const { bucket, address, link } = account({ region: 'us-west-2', bucket: 'videos-west' });
    expect([bucket, address('bedrock-runtime')]).toEqual([
      'videos-west',
      'https://bedrock-runtime.us-west-2.amazonaws.com',
    ]);
    const url = await link('a/b.mp4');
    expect(url).toMatch(/^https:\/\/videos-west\.s3\.us-west-2\.amazonaws\.com\/a\/b\.mp4\?/);
    expect(new URL(url).searchParams.get('X-Amz-Credential')).toMatch(/^AKIDEXAMPLE\/\d{8}\/us-west-2\//);
  });

  test('is at the address that stands in for AWS', () => {
    expect(account(undefined, 'http://127.0.0.1:4566').address('bedrock-runtime')).toBe(
      'http://127.0.0.1:4566',
    );
  });
});
