import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { readStage, stageConfig, stageConfigSchema, stageFile } from '../../../lib/stage/config.ts';
import { readSettings } from '../../../lib/stage/read-settings.ts';
import { settingsFile } from '../../../lib/stage/reference.ts';
import { settingEntries } from '../../../lib/stage/schema.ts';

const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/c';
const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/w/1';
/** As CDK writes a value that only the deployment knows. */
const aToken = (id: number) => `\${Token[TOKEN.${id}]}`;
const keyIn = (region: string) =>
  `arn:aws:kms:${region}:123456789012:key/11111111-2222-3333-4444-555555555555`;
const keyArn = keyIn('eu-central-1');
const vpc = {
  id: 'vpc-0123456789abcdef0',
  availabilityZones: ['eu-central-1a', 'eu-central-1b'],
  serverSubnets: ['subnet-0123456789abcdef0', 'subnet-0123456789abcdef1'],
  loadBalancerSubnets: ['subnet-0123456789abcdef2', 'subnet-0123456789abcdef3'],
};

describe('a stage', () => {
  test.each(['dev', 'prod', 'local'])('may be %s', (name) => {
    expect(stageConfig(name).name).toBe(name);
  });

  test('that does not exist is refused, and the error lists the stages', () => {
    expect(() => stageConfig('porduction')).toThrow(
      'No stage "porduction"; the stages are: dev, local, prod. To add a stage, create the file config/stages/porduction.json',
    );
    expect(() => stageConfig('../stages/dev')).toThrow('No stage');
  });

  test('may be changed for one deployment, within the same rules', () => {
    expect(stageConfig('dev', { wireNames: 'openrouter' })).toEqual({
      ...stageConfig('dev'),
      wireNames: 'openrouter',
    });
    expect(() => stageConfig('dev', { typo: true })).toThrow('Stage "dev" has invalid settings');
    expect(() => stageConfig('prod', { allowedPrivateHosts: ['10.0.0.1'] })).toThrow('must be empty in prod');
  });

  test.each([
    ['dev', ['sandbox']],
    ['local', ['sandbox']],
    ['prod', []],
  ])('%s offers %j by default', (name, providers) => {
    expect(Object.keys(stageConfig(name).videos.providers)).toEqual(providers);
    const changed = stageConfig(name, { videos: { providers: { fal: {} } } });
    expect(Object.keys(changed.videos.providers)).toEqual(['fal']);
  });

  test('calls providers at their own addresses by default', () => {
    const vendors = { openai: 'https://api.openai.com/v1', anthropic: 'https://api.anthropic.com/v1' };
    expect(stageConfig('prod').providerBaseUrls).toEqual(vendors);
    const changed = stageConfig('dev', { providerBaseUrls: { openai: 'https://gateway.example.com/v1/' } });
    expect(changed.providerBaseUrls).toEqual({ ...vendors, openai: 'https://gateway.example.com/v1' });
  });

  test.each([
    { account: '123456789012', region: 'eu-central-1' },
    { domain: { name: 'api.example.com', certificateArn }, webAclArn },
    { addressRequestsPerMinute: 10 },
    { uploadBaseImage: `public.ecr.aws/docker/library/node:24-slim@sha256:${'0a'.repeat(32)}` },
    { edge: 'none', largeUploads: 'off', domain: { name: 'api.example.com' } },
    { edge: 'none', largeUploads: 'off', region: 'us-gov-west-1' },
    { edge: 'none', largeUploads: 'off', edgeSecretSha256: ['a'.repeat(64)] },
    { uploadTasks: { min: 2, max: 2 } },
    { tags: { 'cost-center': '42', Owner: 'a@example.com' } },
    {
      alarms: {
        page: ['a@example.com', 'https://example.com/hook'],
        ticket: ['arn:aws:sns:eu-west-1:123456789012:ops'],
      },
    },
    { vpc },
    { vpc: { ...vpc, id: aToken(12) } },
    { own: { dataKeyArn: aToken(7), logKeyArn: keyArn, accessLogBucket: 'acme-logs' } },
    { own: { permissionsBoundaryArn: 'arn:aws:iam::123456789012:policy/team/limit', namePrefix: 'acme-ai' } },
    { domain: { name: 'api.example.com', certificateArn }, own: { hostedZoneId: 'Z0123456789ABC' } },
    { region: 'us-east-1', domain: { name: 'api.example.com' }, own: { hostedZoneId: 'Z0123456789ABC' } },
    { logRetentionDays: 400 },
    { reservedConcurrency: { poller: 5, deliverer: 10 } },
    { endpointCacheSeconds: 1 },
    { endpointCacheSeconds: 300 },
  ])('may have %p', (change) => {
    expect(stageConfig('dev', change)).toMatchObject(change);
  });

  test('named prod keeps its data, and allows no private hosts', () => {
    expect(stageConfig('prod')).toMatchObject({ data: 'retain', allowedPrivateHosts: [] });
    const opened = { ...stageConfig('prod'), allowedPrivateHosts: ['10.0.0.1'] };
    expect(() => v.parse(stageConfigSchema, opened)).toThrow('must be empty in prod');
  });

  test.each([
    { pollerConcurrency: 1 },
    { pollerConcurrency: 1001 },
    { logRetentionDays: 2 },
    { auditExportDays: 36_501 },
    { resultDays: 2 },
    { resultDays: 365 },
    { endpointCacheSeconds: 0 },
    { endpointCacheSeconds: 301 },
    { endpointCacheSeconds: 1.5 },
    { allowedPrivateHosts: ['http://a'] },
    { wireNames: 'other' },
    { providerBaseUrls: { openai: 'ftp://a' } },
    { providerBaseUrls: { fal: 'https://a.example.com' } },
    { typo: true },
    { own: { dataKeyArn: 'arn:aws:kms:eu-central-1:123456789012:alias/data' } },
    { region: 'eu-west-1', own: { dataKeyArn: keyIn('eu-central-1') } },
    { region: 'eu-west-1', own: { logKeyArn: keyIn('eu-central-1') } },
    { account: '210987654321', own: { permissionsBoundaryArn: 'arn:aws:iam::123456789012:policy/limit' } },
    { own: { accessLogBucket: 'arn:aws:s3:::acme-logs' } },
    { own: { namePrefix: '1st' } },
    { own: { hostedZoneId: 'Z0123456789ABC' } },
    { region: 'eu-central-1', domain: { name: 'api.example.com' }, own: { hostedZoneId: 'Z0123456789ABC' } },
    { edge: 'none', largeUploads: 'off', domain: { name: 'a.example.com' }, own: { hostedZoneId: 'Z01' } },
    { largeUploads: 'fargate', edge: 'none' },
    { account: '1234' },
    { region: 'europe' },
    { region: 'cn-north-1' },
    { region: 'us-gov-west-1' },
    { domain: { name: 'https://api.example.com' } },
    { domain: { name: 'api.example.com' } },
    { domain: { name: 'api.example.com', certificateArn: certificateArn.replace('us-east-1', 'eu-west-1') } },
    { webAclArn: 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/w/1' },
    { edge: 'none', largeUploads: 'off', webAclArn },
    { edge: 'none', largeUploads: 'off', addressRequestsPerMinute: 10 },
    { addressRequestsPerMinute: 9 },
    { uploadBaseImage: 'public.ecr.aws/docker/library/node:24-slim' },
    { uploadBaseImage: `node@sha256:${'0a'.repeat(31)}` },
    { edge: 'none', largeUploads: 'off', domain: { name: 'api.example.com', certificateArn } },
    { edgeSecretGeneration: 0 },
    { edgeSecretSha256: ['a'.repeat(64)] },
    { edge: 'none', largeUploads: 'off', edgeSecretSha256: ['the secret itself'] },
    { throttle: { requestsPerSecond: 0, burst: 1 } },
    { uploadTasks: { min: 3, max: 2 } },
    { tags: { 'aws:owner': 'x' } },
    { tags: Object.fromEntries(Array.from({ length: 41 }, (_, i) => [`tag${i}`, ''])) },
    { alarms: { page: ['http://example.com/hook'] } },
    { alarms: { page: ['somebody'] } },
    { alarms: { wake: [] } },
    { vpc: { ...vpc, serverSubnets: [vpc.serverSubnets[0]] } },
    { vpc: { ...vpc, availabilityZones: ['a', 'b', 'c'] } },
    { objectVersionDays: 366 },
    { reservedConcurrency: { submitter: 4 } },
    { reservedConcurrency: { poller: 4 } },
    { reservedConcurrency: { deliverer: 9 } },
  ])('with %p is refused', (change) => {
    expect(() => v.parse(stageConfigSchema, { ...stageConfig('dev'), ...change })).toThrow();
  });
});

test.each([
  { region: 'eu-west-1', own: { dataKeyArn: keyIn('eu-west-1'), logKeyArn: aToken(1) } },
  { own: { dataKeyArn: keyIn('eu-west-1') } },
  { account: '210987654321', own: { permissionsBoundaryArn: 'arn:aws:iam::210987654321:policy/limit' } },
  { account: '210987654321', own: { permissionsBoundaryArn: 'arn:aws:iam::aws:policy/PowerUserAccess' } },
])('what may be brought: %p', (change) => {
  expect(() => v.parse(stageConfigSchema, { ...stageConfig('dev'), ...change })).not.toThrow();
});

describe('a file of a stage', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stages-'));
  const file = (name: string, text: string) => {
    mkdirSync(join(folder, 'stages'), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  test('may be empty: then all settings have their defaults of docs/configuration.md', () => {
    mkdirSync(join(folder, 'stages'), { recursive: true });
    file('stages/mine.json', '{}');
    expect(stageConfig('mine', {}, folder)).toMatchObject({
      name: 'mine',
      data: 'retain',
      edge: 'cloudfront',
    });
  });

  test('is refused with every reason, its path and the page that explains it', () => {
    file('stages/mine.json', '{"resultDays":2,"trottle":{},"throttle":{"burst":1}}');
    const read = () => stageConfig('mine', {}, folder);
    for (const part of [
      'config/stages/mine.json',
      'docs/configuration.md',
      'resultDays',
      'trottle',
      'throttle.requ',
    ]) {
      expect(read).toThrow(part);
    }
  });

  test.each(['', '[]', '{"a":'])('must hold one JSON object, not %j', (text) => {
    file('stages/mine.json', text);
    expect(() => stageConfig('mine', {}, folder)).toThrow(
      'config/stages/mine.json must contain one JSON object',
    );
  });

  test('may have comments and a comma too many, and says where it is wrong', () => {
    file('Mine.jsonc', '{"data": }');
    file('mine.jsonc', '// ours\n{\n  /* gone */ "data": "destroy", // with it\n}\n');
    const read = (name: string) => {
      const config = join(folder, name);
      return readStage(stageFile({ stage: 'dev', config }));
    };
    expect(read('mine.jsonc')).toEqual(readSettings('mine', { data: 'destroy' }));
    expect(() => read('Mine.jsonc')).toThrow(
      'Mine.jsonc must contain one JSON object: ValueExpected at line 1, column 10',
    );
    expect(() => read('none.jsonc')).toThrow('There is no file');
  });

  test('is written with every setting and its default as a comment', () => {
    file('new.jsonc', settingsFile());
    const read = () => readStage(stageFile({ stage: 'dev', config: join(folder, 'new.jsonc') }));
    const defaults = readSettings('new', {});
    expect(read()).toEqual(defaults);
    for (const name of Object.keys(settingEntries)) expect(settingsFile()).toContain(`  // "${name}"`);
    const given = settingsFile().replaceAll(/^ {2}\/\/ (?="\w+": (?!null))/gm, '');
    expect(given.match(/^"/gm)?.length).toBeGreaterThan(25);
    file('new.jsonc', given);
    expect(read()).toEqual(defaults);
    file('new.jsonc', settingsFile().replace('// "account": null', '"account": null'));
    expect(read).toThrow('account is null: must be a string');
  });

  test.each([
    [
      'mine.jsonc',
      '{"name":"other"}',
      'name is not a setting, because the name of the file is the name of the stage',
    ],
    [
      'mine.jsonc',
      '{"alarms":{"page":[]},\n"edge":"none","alarms":{}}',
      'alarms is set twice; the second time on line 2',
    ],
    [
      'mine.jsonc',
      '{"throttle":{"burst":1,\n"burst":2}}',
      'throttle.burst is set twice; the second time on line 2',
    ],
    ['MyStage.jsonc', '{}', 'the name of the file is the name of the stage, which must be a lowercase name'],
    ['mine.yaml', '{}', 'the name of the file is the name of the stage, which must be'],
    ['stages', '', 'There is no file'],
  ])('%s with %j is refused', (name, text, why) => {
    if (text !== '') file(name, text);
    expect(() => readStage(stageFile({ stage: 'dev', config: join(folder, name) }))).toThrow(why);
  });

  test('may have the same name in two places', () => {
    file(
      'mine.jsonc',
      '{"oidc":{"issuer":"https://id.example.com","clientId":"a","grants":[{"claim":"a","value":"b"},{"claim":"a","value":"c"}]}}',
    );
    expect(
      readStage(stageFile({ stage: 'dev', config: join(folder, 'mine.jsonc') })).oidc?.grants,
    ).toHaveLength(2);
  });

  test('replaces an older file, which causes an error instead of being ignored', () => {
    file('stages/old.json', '{}');
    file('videos.old.json', '{"providers":{}}');
    expect(() => stageConfig('old', {}, folder)).toThrow(
      'move its content to "videos" in config/stages/old.json',
    );
  });
});

test.each([
  [{ alarm: {} }, 'alarm is not a setting; did you mean alarms?'],
  [{ own: { dataKey: 'x' } }, 'own.dataKey is not a setting; did you mean own.dataKeyArn?'],
  [{ videos: { provider: {} } }, 'videos.provider is not a setting; did you mean videos.providers?'],
  [{ throttle: { requestsPerSecond: 0, burst: 1 } }, 'throttle.requestsPerSecond is 0: must be at least 1'],
  [{ edge: 'no' }, 'edge is "no": must be one of cloudfront, none'],
  [{ providerCallbacks: true }, 'providerCallbacks is true: must be on, off or an https URL without a path'],
  [
    { providerCallbacks: 'yes' },
    'providerCallbacks is "yes": must be on, off or an https URL without a path',
  ],
  [{ vpc: { id: 'vpc-1' } }, 'vpc.id is "vpc-1": must be an ID, such as vpc-0123abcd'],
  [{ vpc: { id: 'vpc-1' } }, 'vpc.serverSubnets is missing'],
  [{ submitterConcurrency: 2.5 }, 'submitterConcurrency is 2.5: must be a whole number'],
  [{ submitterConcurrency: 1 }, 'submitterConcurrency is 1: must be at least 2'],
  [{ oidc: { issuer: 'id' } }, 'oidc.issuer is "id": must be a URL'],
  [{ oidc: { grants: [] } }, 'oidc.grants is []: must have at least 1 item'],
  [
    { oidc: { grants: [{ scope: { networks: ['lan'] } }] } },
    'oidc.grants.0.scope.networks.0 is "lan": must be a CIDR block, such as',
  ],
  [
    { oidc: { grants: [{ scope: { workspaces: ['media'] } }] } },
    'oidc.grants.0.scope.workspaces.0 is "media": must be a UUID',
  ],
  [{ tags: { 'aws:cost': 'x' } }, 'tags.aws:cost is "aws:cost": must be at most 128 ASCII letters'],
  [
    { edge: 'none' },
    'largeUploads: only CloudFront can reach the server, so set edge to "cloudfront" or largeUploads to "off"',
  ],
  [
    { edge: 'none', largeUploads: 'off', addressRequestsPerMinute: 60 },
    'domain.certificateArn, webAclArn, addressRequestsPerMinute: are for CloudFront, so omit them or set edge to',
  ],
])('the wrong settings %j are told by path, value and what would be right', (settings, text) => {
  expect(() => stageConfig('dev', settings)).toThrow(`\n  ${text}`);
  expect(() => stageConfig('dev', settings)).not.toThrow('never');
});
