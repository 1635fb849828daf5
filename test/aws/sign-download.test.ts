import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createS3Client } from '../../functions/aws/s3.ts';
import { objectAddress, type S3Download, signDownload } from '../../functions/aws/signatures.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', sessionToken: 'to+ken/=' };
const NOW = new Date('2026-01-02T03:04:05Z');

let client: S3Client | undefined;
afterEach(() => client?.destroy());

/** The link that the SDK's own client signs. */
async function linkOfSdk(region: string, endpoint: string | undefined, download: S3Download) {
  client?.destroy();
  client = createS3Client({ region, credentials, ...(endpoint === undefined ? {} : { endpoint }) });
  const command = new GetObjectCommand({
    Bucket: download.bucket,
    Key: download.key,
    ResponseContentType: download.contentType,
    ResponseContentDisposition: download.contentDisposition,
  });
  return getSignedUrl(client, command, { expiresIn: 300, signingDate: NOW });
}

describe('a signed link is the one that the SDK makes', () => {
  test.each([
    ['us-east-1', undefined],
    ['eu-central-1', undefined],
    ['us-gov-west-1', undefined],
    ['cn-north-1', undefined],
    ['us-east-1', 'http://127.0.0.1:4566'],
    ['eu-central-1', 'http://127.0.0.1:4566/'],
  ])('in %s at %s', async (region, endpoint) => {
    const download = { bucket: 'bucket', key: 'w1/gw_file_1', contentType: 'video/mp4' };
    const url = await signDownload({ region, credentials, endpoint }, download, NOW, 300);
    expect(url).toBe(await linkOfSdk(region, endpoint, download));
  });

  test('whatever the key and the name', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(text, text, async (name, filename) => {
        const key = `w/${name.replaceAll('/', '-')}x`;
        const contentDisposition = `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`;
        const download = { bucket: 'bucket', key, contentDisposition };
        const place = { region: 'us-east-1', credentials, endpoint: undefined };
        expect(await signDownload(place, download, NOW, 300)).toBe(
          await linkOfSdk('us-east-1', undefined, download),
        );
      }),
      { numRuns: 50 },
    );
  });
});

// Every client of HTTP takes such segments out of an address, and then another object would be read, or written.
test.each(['x/../y', 'x/./y', '..', 'x/.', '../y'])('%s is never the key of an address', (key) => {
  for (const endpoint of [undefined, 'http://127.0.0.1:4566']) {
    expect(() => objectAddress('bucket', key, { region: 'us-east-1', endpoint })).toThrow(
      'cannot be used in a URL',
    );
  }
});

test.each(['x/..y', 'x/.../y', 'x.', '.x/y'])('%s is a key like any other', (key) => {
  const { pathname } = objectAddress('bucket', key, { region: 'us-east-1', endpoint: undefined });
  expect(pathname).toBe(`/${key}`);
});
