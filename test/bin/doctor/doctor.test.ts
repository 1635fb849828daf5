import { describe, expect, test } from '@jest/globals';
import {
  findDocker,
  judgeBootstrap,
  judgeCertificate,
  judgeConcurrency,
  judgeModels,
  judgeStack,
  judgeZones,
} from '../../../bin/doctor/checks.ts';
import { type Finding, fault, note, ok } from '../../../bin/doctor/finding.ts';
import { findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import type { Offer } from '../../../functions/videos/catalogue/offer.ts';
import { HOSTILE, OBEYED } from '../../local/terminal/hostile-text.ts';
import { genway } from '../cli/genway.ts';

const stack = (StackStatus: 'CREATE_COMPLETE' | string, outputs: Record<string, string> = {}) => ({
  StackName: 'x',
  CreationTime: new Date(0),
  StackStatus: StackStatus as 'CREATE_COMPLETE',
  Outputs: Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue })),
});

describe('bootstrap', () => {
  const here = { account: '123456789012', region: 'eu-central-1' };
  test.each([
    ['none', undefined, 'fault', 'npx cdk bootstrap aws://123456789012/eu-central-1'],
    ['one that failed', stack('ROLLBACK_COMPLETE'), 'fault', 'Version 0 is older than 6'],
    ['an old one', stack('CREATE_COMPLETE', { BootstrapVersion: '5' }), 'fault', 'Version 5 is older than 6'],
    ['the oldest', stack('CREATE_COMPLETE', { BootstrapVersion: '6' }), 'ok', 'version 6'],
  ])('%s', (_, toolkit, kind, text) => {
    expect(judgeBootstrap(toolkit, here)).toMatchObject({ kind, text: expect.stringContaining(text) });
  });
});

test.each([
  [undefined, 'ok', 'does not exist yet'],
  ['CREATE_COMPLETE', 'ok', 'CREATE_COMPLETE'],
  ['UPDATE_ROLLBACK_COMPLETE', 'ok', 'UPDATE_ROLLBACK_COMPLETE'],
  ['ROLLBACK_COMPLETE', 'fault', 'Delete the stack: aws cloudformation delete-stack'],
  ['ROLLBACK_FAILED', 'fault', 'Delete the stack: aws cloudformation delete-stack'],
  ['REVIEW_IN_PROGRESS', 'ok', 'does not exist yet'],
  ['DELETE_FAILED', 'fault', 'The deletion of Genway-prod failed; its events say why'],
  ['UPDATE_IN_PROGRESS', 'note', 'wait'],
  ['UPDATE_ROLLBACK_FAILED', 'fault', 'npx cdk rollback Genway-prod'],
])('a stack that is %s', (status, kind, text) => {
  const found = judgeStack('Genway-prod', status === undefined ? undefined : stack(status));
  expect(found).toMatchObject({ kind, text: expect.stringContaining(text) });
});

test.each([true, false])('a first deployment that failed, with a protected stack: %s', (protects) => {
  const failed = { ...stack('ROLLBACK_COMPLETE'), EnableTerminationProtection: protects };
  const { text } = judgeStack('Genway-prod', failed);
  expect(text.includes('--no-enable-termination-protection --stack-name Genway-prod')).toBe(protects);
  expect(text).toContain('aws cloudformation delete-stack --stack-name Genway-prod');
});

describe('the models of a stage', () => {
  const now = new Date('2026-11-23T00:00:00Z');
  const videos = { providers: { sandbox: { credential: 'none' as const } }, models: [] };
  const clip = { ...findOffer('sandbox/clip-1')!, checked_at: '2026-11-01' };
  const judged = (...known: Offer[]) => judgeModels({ videos }, now, known);

  test('are fine while no vendor ends one soon', () => {
    expect(judged(clip)).toEqual(ok('models', '1 endpoint, and no vendor ends one within 30 days'));
  });

  test('are named when they end within 30 days, with what to use instead', () => {
    const ending = { ...clip, eol_at: '2026-12-23', successor: 'acme/owl' };
    expect(judged(clip, ending)).toMatchObject({
      kind: 'note',
      text: expect.stringContaining('sandbox/clip-1 on 2026-12-23 (use acme/owl)'),
    });
  });

  test('are named when nobody has looked for 90 days', () => {
    expect(judged({ ...clip, checked_at: '2026-08-01' }).text).toMatch(
      /more than 90 days ago.*sandbox\/clip-1/,
    );
  });

  test('do not matter where the stage does not offer their provider', () => {
    const other = { ...clip, id: 'fal/old', provider: 'fal', eol_at: '2026-12-01' };
    expect(judged(clip, other)).toHaveProperty('kind', 'ok');
  });
});

describe('zones', () => {
  const zone = (ZoneName: string, ZoneId: string) => ({ ZoneName, ZoneId });
  const bad = zone('us-east-1a', 'use1-az3');
  const [b, c] = [zone('us-east-1b', 'use1-az1'), zone('us-east-1c', 'use1-az6')] as const;
  const vpc = (...availabilityZones: string[]) => ({
    vpc: {
      id: 'vpc-1',
      availabilityZones,
      serverSubnets: [],
      loadBalancerSubnets: [],
      publicAddresses: false,
    },
  });
  test.each([
    [
      'are limited to those that CloudFront reaches',
      [bad, b, c],
      {},
      'ok',
      'CloudFront reaches us-east-1b, us-east-1c',
    ],
    ['are too few', [bad, b], {}, 'fault', 'CloudFront supports only 1 zones of us-east-1'],
    ['of your own network', [bad, b, c], vpc('us-east-1c', 'us-east-1b'), 'ok', 'us-east-1c, us-east-1b'],
    [
      'of your own network that CloudFront cannot reach',
      [bad, b, c],
      vpc('us-east-1a', 'us-east-1b'),
      'fault',
      'does not support us-east-1a',
    ],
  ])('%s', (_, zones, settings, kind, text) => {
    expect(judgeZones(zones, 'us-east-1', settings)).toMatchObject({
      kind,
      text: expect.stringContaining(text),
    });
  });

  test('in other regions are all supported', () => {
    const zones = [zone('eu-west-1a', 'euw1-az3'), zone('eu-west-1b', 'euw1-az1')];
    expect(judgeZones(zones, 'eu-west-1', {})).toHaveProperty('kind', 'ok');
  });
});

describe('concurrency', () => {
  const settings = {
    submitterConcurrency: 50,
    pollerConcurrency: 50,
    copierConcurrency: 50,
    delivererConcurrency: 50,
    reservedConcurrency: {},
  };
  const reserved = { ...settings, reservedConcurrency: { poller: 50, deliverer: 50 } };
  test.each([
    [300, settings, 'ok', '300 functions may run at once'],
    [299, settings, 'note', '299 functions may run at once, and workers alone may take 200'],
    [10, settings, 'note', '--desired-value 1000 --region eu-central-1'],
    [199, reserved, 'fault', 'reservedConcurrency is 100 in total, but 199'],
    [200, reserved, 'note', '200 functions'],
    [10, { ...settings, reservedConcurrency: { poller: 2 } }, 'fault', 'reservedConcurrency is 2 in total'],
  ])('%s', (limit, some, kind, text) => {
    expect(judgeConcurrency(limit, 'eu-central-1', some)).toMatchObject({
      kind,
      text: expect.stringContaining(text),
    });
  });
});

describe('a certificate', () => {
  const now = new Date('2026-11-22T00:00:00Z');
  const day = 24 * 3_600_000;
  const issued = (names: string[], days = 90) => ({
    Status: 'ISSUED' as const,
    SubjectAlternativeNames: names,
    NotAfter: new Date(now.getTime() + days * day),
  });
  test.each([
    ['for the name', issued(['api.example.com']), 'ok', 'for api.example.com until 2027-02-20'],
    ['for a wildcard', issued(['example.com', '*.example.com']), 'ok', 'for api.example.com'],
    ['for a wildcard of a higher level', issued(['*.com']), 'fault', 'and not for api.example.com'],
    ['for another name', issued(['www.example.com']), 'fault', 'The certificate is for www.example.com'],
    ['that ends soon', issued(['api.example.com'], 30), 'note', 'The certificate ends on 2026-12-22'],
    ['that is not validated yet', { Status: 'PENDING_VALIDATION' as const }, 'fault', 'DNS records'],
    ['that has expired', { Status: 'EXPIRED' as const }, 'fault', 'The certificate is EXPIRED'],
    ['that does not exist', undefined, 'fault', 'The certificate is missing'],
  ])('%s', (_, certificate, kind, text) => {
    expect(judgeCertificate('api.example.com', certificate, now)).toMatchObject({
      kind,
      text: expect.stringContaining(text),
    });
  });
});

test.each([
  ['echo', 'ok'],
  ['false', 'fault'],
  ['no-such-docker', 'fault'],
])('a replacement for Docker: %s', async (program, kind) => {
  expect(await findDocker(program)).toMatchObject({ kind, text: expect.stringContaining(program) });
});

describe('the command', () => {
  const doctor = (...findings: Finding[]) =>
    genway(['doctor', '--stage', 'prod'], {}, { examine: async () => findings });

  test('exits with 0 if there are only notes', async () => {
    expect(await doctor(ok('account', 'here'), note('concurrency', '10'))).toMatchObject({
      code: 0,
      out: 'ok     account      here\nnote   concurrency  10\n',
      err: '',
    });
  });

  test('exits with 1 if something is missing, and names it', async () => {
    const found = await doctor(fault('docker', 'start it'), ok('zones', 'two'), fault('bootstrap', 'do it'));
    expect([found.code, found.err]).toEqual([1, 'prod cannot be deployed yet: docker, bootstrap\n']);
  });

  test('shows the message of AWS with escaped control characters', async () => {
    const { out } = await doctor(note('stack', HOSTILE));
    for (const line of out.split('\n')) expect(line).not.toMatch(OBEYED);
  });

  test('passes on the given stage and the replacement for Docker', async () => {
    const asked: unknown[] = [];
    const examine = async (...what: unknown[]) => {
      asked.push(what);
      return [];
    };
    await genway(['doctor'], { environment: { CDK_DOCKER: 'finch' } }, { examine });
    expect(asked).toEqual([['dev', 'finch', new Date(0)]]);
  });
});
