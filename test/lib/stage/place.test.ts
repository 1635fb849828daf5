import { describe, expect, test } from '@jest/globals';
import { placeOf } from '../../../lib/stage/place.ts';
import { stageConfig } from '../../../lib/stage-config.ts';

const OURS = { account: '111111111111', region: 'eu-central-1' };
const THEIRS = { account: '222222222222', region: 'us-east-1' };

describe('a stage that keeps its data', () => {
  test('goes to the place that it names, whatever region the credentials lead to', () => {
    expect(placeOf(stageConfig('prod', OURS), { ...OURS, region: 'us-east-1' })).toEqual(OURS);
  });

  test('is refused with credentials of another account, and told of both', () => {
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

  test('can be looked at without any credentials', () => {
    expect(placeOf(stageConfig('prod'), {})).toEqual({});
    expect(placeOf(stageConfig('prod', OURS), {})).toEqual(OURS);
  });
});

test('a stage that goes with its data goes where the credentials lead, unless it names an account', () => {
  expect(placeOf(stageConfig('dev'), THEIRS)).toEqual(THEIRS);
  expect(() => placeOf(stageConfig('dev', OURS), THEIRS)).toThrow('belongs to account 111111111111');
});
