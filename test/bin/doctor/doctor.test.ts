import { describe, expect, test } from '@jest/globals';
import {
  findDocker,
  judgeAccessLogs,
  judgeBootstrap,
  judgeCertificate,
  judgeKey,
  judgeModels,
  judgeZones,
} from '../../../bin/doctor/checks.ts';
import { type Finding, fault, note, ok } from '../../../bin/doctor/finding.ts';
import { type Holdings, judgeLeftovers } from '../../../bin/doctor/leftovers.ts';
import { judgeCloudFront, judgeConcurrency, judgeVpcs } from '../../../bin/doctor/quotas.ts';
import { isFirst, judgeStack } from '../../../bin/doctor/stack.ts';
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
    ['one that failed', stack('ROLLBACK_COMPLETE'), 'fault', 'version 0 is older than 6'],
    ['an old one', stack('CREATE_COMPLETE', { BootstrapVersion: '5' }), 'fault', 'version 5 is older than 6'],
    ['the oldest', stack('CREATE_COMPLETE', { BootstrapVersion: '6' }), 'ok', 'version 6'],
  ])('%s', (_, toolkit, kind, text) => {
    expect(judgeBootstrap(toolkit, here)).toMatchObject({ kind, text: expect.stringContaining(text) });
  });
});

const prod = { name: 'Genway-prod', region: 'eu-central-1' };
const named = '--region eu-central-1 --stack-name Genway-prod';

test.each([
  [undefined, 'ok', 'does not exist yet'],
  ['CREATE_COMPLETE', 'ok', 'CREATE_COMPLETE'],
  ['UPDATE_ROLLBACK_COMPLETE', 'ok', 'UPDATE_ROLLBACK_COMPLETE'],
  ['CREATE_FAILED', 'fault', '--no-rollback. To start again, delete the stack, which contains no data'],
  ['ROLLBACK_COMPLETE', 'fault', 'Before you deploy again, delete the stack, which contains no data'],
  ['ROLLBACK_FAILED', 'fault', 'delete the stack, which contains no data'],
  ['REVIEW_IN_PROGRESS', 'ok', 'does not exist yet'],
  ['DELETE_FAILED', 'fault', 'The deletion of Genway-prod failed; the events of the stack say why'],
  ['UPDATE_IN_PROGRESS', 'note', 'wait'],
  ['UPDATE_FAILED', 'fault', `rollback-stack ${named}`],
  ['UPDATE_ROLLBACK_FAILED', 'fault', `continue-update-rollback ${named}`],
])('a stack that is %s', (status, kind, text) => {
  const found = judgeStack(prod, status === undefined ? undefined : stack(status));
  expect(found).toMatchObject({ kind, text: expect.stringContaining(text) });
});

test.each([true, false])('a first deployment that failed, with a protected stack: %s', (protects) => {
  const failed = { ...stack('ROLLBACK_COMPLETE'), EnableTerminationProtection: protects };
  const commands = judgeStack(prod, failed)
    .text.split('\n')
    .filter((line) => line.startsWith('aws '));
  const of = (action: string) =>
    `aws cloudformation ${action} --region eu-central-1 --stack-name Genway-prod`;
  expect(commands).toEqual([
    ...(protects ? [of('update-termination-protection --no-enable-termination-protection')] : []),
    of('delete-stack'),
    of('wait stack-delete-complete'),
  ]);
});

test.each([
  ['Access denied for operation: Your account must be verified before', 'a support case'],
  [
    'Specified ReservedConcurrentExecutions decreases account’s UnreservedConcurrentExecution',
    'remove reservedConcurrency',
  ],
  ['The maximum number of VPCs has been reached. (Code: VpcLimitExceeded)', 'Delete an unused VPC'],
  ['/Genway-prod/get-video already exists', 'If it is not listed there and nobody needs it, delete it'],
  [
    'AccessDeniedException: see the log of the Lambda function of this custom resource',
    'A permission may not have taken effect yet: deploy again',
  ],
  [
    'User: arn:aws:sts::1:assumed-role/cdk is not authorized to perform: kms:CreateKey',
    'does not allow the CloudFormation execution role',
  ],
  ['Error occurred during operation "ECS Deployment Circuit Breaker was triggered"', '"largeUploads": "off"'],
  ['Subscriber limit exceeded: only 10 tables can be created', 'a higher quota'],
  ['Rate exceeded (Service: AmazonApiGateway; Status Code: 429)', 'throttled the deployment'],
  ['Internal failure', 'deploy again'],
])('a first deployment that failed by “%s” says what to do', (reason, advice) => {
  const failure = { logicalId: 'Part', type: 'AWS::X::Y', reason };
  const [cause, what] = judgeStack(prod, stack('ROLLBACK_COMPLETE'), failure).text.split('\n');
  expect(cause).toBe(`The first deployment of Genway-prod failed at Part (AWS::X::Y): ${reason}`);
  expect(what).toContain(advice);
});

test.each([
  [undefined, true],
  ['REVIEW_IN_PROGRESS', true],
  ['ROLLBACK_COMPLETE', true],
  ['CREATE_FAILED', true],
  ['DELETE_FAILED', true],
  ['CREATE_COMPLETE', false],
  ['UPDATE_ROLLBACK_COMPLETE', false],
  ['UPDATE_ROLLBACK_FAILED', false],
])('whether the next deployment of a stack that is %s is its first: %s', (status, first) => {
  expect(isFirst(status === undefined ? undefined : stack(status))).toBe(first);
});

describe('leftovers', () => {
  const none: Holdings = { tables: [], buckets: [], keys: [], logs: [] };
  const judged = (some: Partial<Holdings>, of?: ReturnType<typeof stack>) =>
    judgeLeftovers({ ...none, ...some }, { file: 'prod.jsonc', region: 'eu-central-1' }, of);

  test('of nobody are none', () => {
    expect(judged({})).toMatchObject({ kind: 'ok' });
  });

  test('with data may be the stage’s, and are removed by their names only', () => {
    const { kind, text } = judged({ tables: ['T1', 'T2'], buckets: ['b'], keys: ['k1'] });
    const [what, advice, ...commands] = text.split('\n');
    expect([kind, what]).toEqual([
      'note',
      'These resources have the tags of the stage, belong to no stack, and may cost money: 2 tables, 1 bucket, 1 KMS key.',
    ]);
    expect(advice).toContain('npx genway adopt --config prod.jsonc.');
    expect(advice).toMatch(/If the stage never worked, empty the buckets, and then remove the resources:$/);
    expect(commands).toEqual([
      'for TABLE in T1 T2; do aws dynamodb update-table --no-deletion-protection-enabled --region eu-central-1 --table-name $TABLE > /dev/null' +
        ' && aws dynamodb wait table-exists --region eu-central-1 --table-name $TABLE' +
        ' && aws dynamodb delete-table --region eu-central-1 --table-name $TABLE > /dev/null; done',
      'for BUCKET in b; do aws s3 rb s3://$BUCKET --region eu-central-1; done',
      'for KEY in k1; do aws kms schedule-key-deletion --region eu-central-1 --key-id $KEY > /dev/null; done',
    ]);
  });

  const adopt =
    'adopt them with npx genway adopt --config prod.jsonc. If the stage never worked, remove the resources:';
  test.each([
    ['REVIEW_IN_PROGRESS', `If the stage ever worked, they may hold its data; ${adopt}`],
    [
      'ROLLBACK_COMPLETE',
      `If the stage ever worked, they may hold its data; once its stack is deleted, ${adopt}`,
    ],
    [
      'DELETE_FAILED',
      `If the stage ever worked, they may hold its data; once its stack is deleted, ${adopt}`,
    ],
    [
      'CREATE_COMPLETE',
      'npx genway adopt cannot take them over while the stage has a stack. If you do not need their data, remove the resources:',
    ],
    [
      'UPDATE_COMPLETE',
      'npx genway adopt cannot take them over while the stage has a stack. If you do not need their data, remove the resources:',
    ],
  ])('of a stage whose stack is %s are adopted only where that works', (status, advice) => {
    expect(judged({ tables: ['T1'] }, stack(status)).text.split('\n')[1]).toBe(advice);
  });

  test('of a stage that has a stack, may be buckets with data, which AWS removes only when they are empty', () => {
    expect(judged({ buckets: ['b'] }, stack('UPDATE_COMPLETE')).text).toContain(
      'If you do not need their data, empty the buckets, and then remove the resources:',
    );
  });

  test('that have the names of new log groups stop a deployment', () => {
    const { kind, text } = judged({ logs: ['/Genway-prod/get-video'] });
    expect(kind).toBe('fault');
    expect(text.split('\n')[1]).toBe(
      'for GROUP in /Genway-prod/get-video; do aws logs delete-log-group --region eu-central-1 --log-group-name $GROUP; done',
    );
  });
});

describe('CloudFront', () => {
  const judged = (distributions: number, publicKeys: number, edgeSecretGeneration = 1) =>
    judgeCloudFront({ distributions, publicKeys }, { edgeSecretGeneration });
  test.each([
    ['that has nothing yet', judged(0, 0), 'note', 'must be verified'],
    ['with room for two keys', judged(2, 8), 'ok', ''],
    ['without', judged(2, 9), 'note', '9 CloudFront public keys, and this stage needs 2'],
    ['with room for two keys, of a stage that was rotated', judged(2, 8, 2), 'note', 'this stage needs 3'],
  ])('of an account %s', (_, found, kind, text) => {
    expect(found).toMatchObject({ kind, text: expect.stringContaining(text) });
  });
});

test.each([
  [1, 'ok'],
  [4, 'ok'],
  [5, 'note'],
])('a network beside %d others', (count, kind) => {
  expect(judgeVpcs(count, 'eu-central-1')).toHaveProperty('kind', kind);
});

describe('the models of a stage', () => {
  const now = new Date('2026-11-23T00:00:00Z');
  const videos = { providers: { sandbox: { credential: 'none' as const } }, models: [] };
  const clip = { ...findOffer('sandbox/clip-1')!, checked_at: '2026-11-01' };
  const judged = (...known: Offer[]) => judgeModels({ videos }, now, known);

  test('are fine while no vendor ends one soon', () => {
    expect(judged(clip)).toEqual(ok('models', '1 endpoint; no known retirement within 30 days'));
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
      'As far as Genway knows, CloudFront supports us-east-1b, us-east-1c',
    ],
    [
      'are too few',
      [bad, b],
      {},
      'fault',
      'The upload server needs two zones of us-east-1 that CloudFront supports, but the account has 1',
    ],
    ['of your own network', [bad, b, c], vpc('us-east-1c', 'us-east-1b'), 'ok', 'us-east-1c, us-east-1b'],
    [
      'of your own network that CloudFront cannot reach',
      [bad, b, c],
      vpc('us-east-1a', 'us-east-1b'),
      'fault',
      'CloudFront does not support: us-east-1a. Use at least two of: us-east-1b, us-east-1c',
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
    [300, settings, 'ok', '300 concurrent executions'],
    [299, settings, 'note', '299 concurrent executions, and workers alone may take 200'],
    [10, settings, 'note', '--region eu-central-1 --desired-value 1000'],
    [199, reserved, 'fault', 'reservedConcurrency is 100 in total, but the limit is 199'],
    [200, reserved, 'note', '200 concurrent executions'],
    [1000, { ...settings, reservedConcurrency: { poller: 950 } }, 'fault', '--desired-value 1050'],
    [
      10,
      { ...settings, reservedConcurrency: { poller: 2 } },
      'fault',
      'Lower or remove reservedConcurrency, or ask AWS for a higher limit',
    ],
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
    ['for a wildcard of a higher level', issued(['*.com']), 'fault', 'not for api.example.com'],
    ['for another name', issued(['www.example.com']), 'fault', 'The certificate is for www.example.com'],
    ['that ends soon', issued(['api.example.com'], 30), 'note', 'The certificate expires on 2026-12-22'],
    [
      'that is not validated yet',
      { Status: 'PENDING_VALIDATION' as const },
      'fault',
      'DNS or email validation',
    ],
    [
      'that has expired',
      { Status: 'EXPIRED' as const },
      'fault',
      'The status of the certificate is EXPIRED: request one',
    ],
    [
      'that does not exist',
      undefined,
      'fault',
      'ACM has no certificate with the ARN in domain.certificateArn: request one',
    ],
  ])('%s', (_, certificate, kind, text) => {
    expect(judgeCertificate('api.example.com', certificate, now)).toMatchObject({
      kind,
      text: expect.stringContaining(text),
    });
  });
});

describe('what the deployer brings', () => {
  const good = { KeyState: 'Enabled', KeySpec: 'SYMMETRIC_DEFAULT', KeyManager: 'CUSTOMER' } as const;
  test.each([
    ['none', undefined, 'fault', 'There is no key arn in eu-central-1'],
    ['a disabled one', { ...good, KeyState: 'Disabled' }, 'fault', 'is Disabled: enable it'],
    [
      'one in deletion',
      { ...good, KeyState: 'PendingDeletion' },
      'fault',
      'cancel its deletion and enable it',
    ],
    [
      'one without key material',
      { ...good, KeyState: 'PendingImport' },
      'fault',
      'is PendingImport: see KMS for the reason',
    ],
    [
      'one that signs',
      { ...good, KeySpec: 'ECC_NIST_P256' },
      'fault',
      'its key spec is ECC_NIST_P256, and its key manager is CUSTOMER',
    ],
    [
      'one of AWS',
      { ...good, KeyManager: 'AWS' },
      'fault',
      'its key spec is SYMMETRIC_DEFAULT, and its key manager is AWS',
    ],
    ['a usable one', good, 'ok', 'arn'],
  ] as const)('a key: %s', (_, key, kind, text) => {
    const found = judgeKey('dataKey', 'arn', key && { KeyId: 'k', ...key }, 'eu-central-1');
    expect(found).toMatchObject({ about: 'dataKey', kind, text: expect.stringContaining(text) });
  });

  test.each([
    [undefined, 'fault', 'There is no bucket logs: create it in eu-central-1'],
    ['us-east-1', 'fault', 'logs is in us-east-1'],
    ['eu-central-1', 'ok', 'logs'],
  ])('a bucket for access logs that is in %s', (region, kind, text) => {
    const found = judgeAccessLogs('logs', region, 'eu-central-1');
    expect(found).toMatchObject({ kind, text: expect.stringContaining(text) });
  });
});

test.each([
  ['echo', 'ok', 'echo version'],
  ['false', 'fault', 'false, which'],
  ['false', 'fault', 'Error: exit code 1'],
  ['no-such-docker', 'fault', 'Error: spawn no-such-docker ENOENT'],
])('a replacement for Docker: %s', async (program, kind, text) => {
  expect(await findDocker(program)).toMatchObject({ kind, text: expect.stringContaining(text) });
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
    expect([found.code, found.err]).toEqual([1, 'Before you deploy prod, fix: docker, bootstrap\n']);
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
    expect(asked).toEqual([[{ stage: 'dev' }, 'finch', new Date(0)]]);
    await genway(['doctor', '--config', '/a/prod.jsonc'], {}, { examine });
    expect(asked.at(-1)).toEqual([{ stage: 'dev', config: '/a/prod.jsonc' }, undefined, new Date(0)]);
  });
});
