import { ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3';
import { beforeEach, expect, test } from '@jest/globals';
import { removeBedrockResults } from '../../../functions/videos/results/bedrock-results.ts';
import { AwsWorld } from '../../engines/index.ts';

const ID = 'vid_01jg000000000000000000000a';
const OTHER = 'vid_01jg000000000000000000000b';
const NAMED = { region: 'us-west-2', bucket: 'named' };
const WORKSPACE = 'workspace' as const;

let s3: ReturnType<AwsWorld['startProcess']>['s3'];
let regions: (string | undefined)[];
beforeEach(async () => {
  const world = new AwsWorld();
  for (const name of ['results', 'named']) world.s3.createBucket(name);
  ({ s3 } = world.startProcess());
  regions = [];
  for (const Bucket of ['results', 'named']) {
    for (const Key of [
      `bedrock/${ID}/a/manifest.json`,
      `bedrock/${ID}/a/output.mp4`,
      `bedrock/${OTHER}/a/output.mp4`,
    ]) {
      await s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x' }));
    }
  }
});

async function keysIn(Bucket: string): Promise<number> {
  return (await s3.send(new ListObjectsV2Command({ Bucket }))).KeyCount ?? 0;
}

const clientIn = (region: string | undefined) => {
  regions.push(region);
  return s3;
};

test.each([
  ['bedrock', { bedrock: {} }, [1, 3], [undefined]],
  ['bedrock', { bedrock: { aws: NAMED } }, [3, 1], ['us-west-2']],
  ['ours', { ours: { adapter: 'bedrock', aws: NAMED } }, [3, 1], ['us-west-2']],
  ['bedrock', {}, [1, 3], [undefined]],
  ['fal', { bedrock: {}, fal: {} }, [3, 3], []],
  [undefined, { bedrock: {} }, [3, 3], []],
] as const)('of a job at %s, on a stage with %j, leaves %j objects', async (provider, named, left, asked) => {
  const providers = Object.fromEntries(
    Object.entries(named).map(([name, settings]) => [name, { credential: WORKSPACE, ...settings }]),
  );
  const job = provider === undefined ? { id: ID } : { id: ID, provider };
  await removeBedrockResults(job, { providers, bucket: 'results', clientIn });
  expect([await keysIn('results'), await keysIn('named')]).toEqual(left);
  expect(regions).toEqual(asked);
});
