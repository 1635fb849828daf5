import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { expect, test } from '@jest/globals';
import { createS3Client } from '../../functions/aws/s3.ts';
import { functionEnvironments } from './function-environment.ts';
import { call, newWorkspace, stage } from './stage.ts';

const { endpoint, region, credentials } = stage.aws;
const s3 = createS3Client({ endpoint, region, credentials, forcePathStyle: true });
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('a submit that nobody can pay for stores none of its images', async () => {
  const { id, key } = await newWorkspace();
  const { hash } = (await call('GET', '/key', { key })).body.data;
  const limited = await call('PATCH', `/keys/${hash}`, { key: stage.managementKey, json: { limit: 0 } });
  expect(limited.status).toBe(200);
  const body = {
    model: 'sandbox/clip-1',
    prompt: 'A fox',
    frame_images: [
      {
        type: 'image_url',
        frame_type: 'first_frame',
        image_url: { url: `data:image/png;base64,${PIXEL}` },
      },
    ],
  };
  const submit = () => call('POST', '/videos', { key, json: body });
  expect((await submit()).status).toBe(402);

  const environment = (await functionEnvironments((value) => value)).get('submit-video');
  const kept = async () => {
    const listing = new ListObjectsV2Command({
      Bucket: environment?.RESULTS_BUCKET,
      Prefix: `inputs/${id}/`,
    });
    return (await s3.send(listing)).KeyCount;
  };
  expect(await kept()).toBe(0);
  await call('PATCH', `/keys/${hash}`, { key: stage.managementKey, json: { limit: null } });
  expect((await submit()).status).toBe(202);
  expect(await kept()).toBe(1);
});
