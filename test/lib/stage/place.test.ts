import { describe, expect, test } from '@jest/globals';
import { stageConfig } from '../../../lib/stage/config.ts';
import { placeOf } from '../../../lib/stage/place.ts';

const OURS = { account: '111111111111', region: 'eu-central-1' };
const THEIRS = { account: '222222222222', region: 'us-east-1' };

describe('a stage that keeps its data', () => {
  test('goes to its own account and region, whatever region the credentials have', () => {
    expect(placeOf(stageConfig('prod', OURS), { ...OURS, region: 'us-east-1' })).toEqual(OURS);
  });

  test('is refused with credentials of another account, and the error names both', () => {
    const deploy = () => placeOf(stageConfig('prod', OURS), THEIRS);
    expect(deploy).toThrow(
      /belongs to account 111111111111 \(config\/stages\/prod.json\), .*for 222222222222. Use credentials of 1{12}/,
    );
  });

  test.each([{}, { account: OURS.account }, { region: OURS.region }])(
    'must name both its account and its region, not %j',
    (named) => {
      expect(() => placeOf(stageConfig('prod', named), OURS)).toThrow(
        'add: "account":"111111111111","region":"eu-central-1"',
      );
    },
  );

  test('can be synthesized without credentials', () => {
    expect(placeOf(stageConfig('prod'), {})).toEqual({});
    expect(placeOf(stageConfig('prod', OURS), {})).toEqual(OURS);
  });
});

test('a stage with "destroy" goes to the account of the credentials, unless it names one', () => {
  expect(placeOf(stageConfig('dev'), THEIRS)).toEqual(THEIRS);
  expect(() => placeOf(stageConfig('dev', OURS), THEIRS)).toThrow('belongs to account 111111111111');
});

test.each(['cn-north-1', 'us-gov-west-1'])(
  'a stage with an edge does not go to %s, though only the credentials name it',
  (region) => {
    const there = { account: THEIRS.account, region };
    expect(() => placeOf(stageConfig('dev'), there)).toThrow(
      /^Stage "dev" would go to .*edge must be "none"/,
    );
    const withoutEdge = stageConfig('dev', { edge: 'none', largeUploads: 'off' });
    expect(placeOf(withoutEdge, there)).toEqual(there);
  },
);

describe('a stage with Bedrock', () => {
  const there = (region: string) => ({ account: THEIRS.account, region });
  const withBedrock = (bedrock: object) =>
    stageConfig('dev', {
      videos: { providers: { bedrock: { credential: 'none', ...bedrock } }, models: [] },
    });

  test('goes to another region than its model only if it names a bucket beside the model', () => {
    expect(() => placeOf(withBedrock({}), there('eu-central-1'))).toThrow(
      /^Stage "dev" would go to eu-central-1 .*\. videos\.providers\.bedrock: .*"aws": \{"region":"us-west-2","bucket":"…"\}$/,
    );
    expect(placeOf(withBedrock({}), there('us-west-2'))).toEqual(there('us-west-2'));
    const named = withBedrock({ aws: { region: 'us-west-2', bucket: 'videos-west' } });
    expect(placeOf(named, there('eu-central-1'))).toEqual(there('eu-central-1'));
  });

  test('can be run on the emulator, wherever that says it is', () => {
    const local = { ...withBedrock({}), platform: 'emulator' as const };
    expect(placeOf(local, there('eu-central-1'))).toEqual(there('eu-central-1'));
  });
});
