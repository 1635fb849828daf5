import { expect, test } from '@jest/globals';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { AwsWorld } from '../../engines/index.ts';
import { genway } from '../cli/genway.ts';
import { aDeployment } from './a-deployment.ts';

const world = new AwsWorld();
const stage = new DeployedStage(world);
const open = async () => aDeployment((name) => stage.name(name.replace('Table', '')), { world });
const create = (expiresAt: string) =>
  genway(
    ['admin', 'create-management-key', '--expires-at', expiresAt],
    { now: () => new Date('2030-01-31T00:00:00Z') },
    { open },
  );

test('a management key that expires later is created', async () => {
  const { code, out } = await create('2030-01-31T00:00:01Z');
  expect([code, out]).toEqual([0, expect.stringMatching(/^mk-gw-v1-/)]);
});

test.each(['2030-01-31T00:00:00Z', '2030-01-31T00:59:59+01:00'])(
  'one that expired at %s is not',
  async (at) => {
    expect(await create(at)).toMatchObject({
      code: 1,
      out: '',
      err: 'Invalid --expires-at: must be in the future\n',
    });
  },
);

test.each([
  ['--operations', 'red', 'must be one of read'],
  ['--networks', 'x', 'must be'],
  ['--expires-at', 'soon', 'must be'],
])('of a wrong %s the message names this option alone', async (option, value, rule) => {
  const { code, err } = await genway(['admin', 'create-management-key', option, value], {}, { open });
  expect([code, err]).toEqual([1, expect.stringMatching(new RegExp(`^Invalid ${option}: ${rule}`))]);
});

test('one that has expired cannot be rotated: the new key would have expired too', async () => {
  await create('2030-01-31T00:00:01Z');
  const later = { now: () => new Date('2030-01-31T00:00:01Z') };
  const { out } = await genway(['admin', 'list-keys', '--json'], later, { open });
  const [, hash = ''] = /"hash":"(\w+)"/.exec(out) ?? [];
  const rotated = await genway(['admin', 'rotate-key', hash], later, { open });
  expect(rotated).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/is expired, so it cannot be rotated\n$/),
  });
});
