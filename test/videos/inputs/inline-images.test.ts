import { CreateBucketCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { describe, expect, test } from '@jest/globals';
import { TransactionRefused } from '../../../functions/aws/dynamo-writes.ts';
import { InvalidRequest, PaymentRequired } from '../../../functions/http/errors.ts';
import { keepingImages } from '../../../functions/videos/inputs/inline-images.ts';
import { InputObjects } from '../../../functions/videos/inputs/input-objects.ts';
import { wasNotAccepted } from '../../../functions/videos/jobs/accept-job.ts';
import { AwsWorld, faultAt, noFaults } from '../../engines/index.ts';

const IMAGES = [0, 1, 2].map((n) => ({
  key: `inputs/ws-1/vid_1/frame-${n}`,
  bytes: Buffer.from(`image ${n}`),
  mediaType: 'image/png',
}));
const refusal = (...names: string[]) =>
  new TransactionRefused(
    names.map((name) => ({ name, item: undefined })),
    undefined,
  );

async function aBucket() {
  const world = new AwsWorld();
  const { s3 } = world.startProcess();
  await s3.send(new CreateBucketCommand({ Bucket: 'results' }));
  const told: unknown[] = [];
  const ports = {
    bucket: 'results',
    objects: new InputObjects(s3),
    wasRefused: wasNotAccepted,
    onRemains: (error: unknown) => told.push(error),
  };
  const kept = async () => {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: 'results' }));
    return Contents.map(({ Key }) => Key);
  };
  return { world, told, kept, keep: (work: () => Promise<string>) => keepingImages(IMAGES, ports, work) };
}

const KEYS = IMAGES.map(({ key }) => key);

describe('the images of a submit', () => {
  test('are stored before the work begins, and kept after it', async () => {
    const { kept, keep } = await aBucket();
    const before = await keep(async () => (await kept()).join());
    expect(before).toBe(KEYS.join());
    expect(await kept()).toEqual(KEYS);
  });

  test.each([
    ['a refusal', new InvalidRequest('no')],
    ['too little money', new PaymentRequired('no')],
    ['a transaction that another request has overtaken', refusal('account', 'replay')],
  ])('are deleted after %s', async (_, error) => {
    const { kept, keep, told } = await aBucket();
    await expect(keep(() => Promise.reject(error))).rejects.toBe(error);
    expect(await kept()).toEqual([]);
    expect(told).toEqual([]);
  });

  test.each([
    ['is not known', new Error('no answer in time')],
    ['is that the job exists already', refusal('job', 'account')],
  ])('stay if the outcome %s, because the job may need them', async (_, error) => {
    const { kept, keep } = await aBucket();
    await expect(keep(() => Promise.reject(error))).rejects.toBe(error);
    expect(await kept()).toEqual(KEYS);
  });

  test.each([1, 2, 3])(
    'are all deleted if number %d cannot be stored, and the work does not begin',
    async (nth) => {
      const { world, kept, keep } = await aBucket();
      const key = KEYS[nth - 1];
      world.faults = (call) =>
        call.operation === 'PutObject' && JSON.stringify(call.input).includes(String(key))
          ? 'error'
          : undefined;
      await expect(keep(() => Promise.reject(new Error('began')))).rejects.toMatchObject({
        name: 'InternalServerError',
      });
      world.faults = noFaults;
      expect(await kept()).toEqual([]);
    },
  );

  test('that cannot be removed are logged, and do not hide the refusal', async () => {
    const { world, kept, keep, told } = await aBucket();
    world.faults = faultAt({ operation: 'DeleteObject' }, 'error');
    const error = new InvalidRequest('no');
    await expect(keep(() => Promise.reject(error))).rejects.toBe(error);
    expect(told).toHaveLength(1);
    expect(await kept()).toEqual(KEYS);
  });
});
