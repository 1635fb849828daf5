import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { routes } from '../../functions/endpoints/definitions.ts';
import { RETENTION_DAYS } from '../../functions/workspaces/retention-days.ts';
import { programsOf, rolesOf } from './roles.ts';
import { synthesize, synthesizePart, WITHOUT_EDGE } from './template.ts';

let prod: Template;
beforeAll(async () => {
  prod = await synthesize('prod');
});

/** The functions of `prod` that have no route of their own. */
const WITHOUT_ROUTE = [
  'submit-jobs',
  'poll-videos',
  'copy-videos',
  'deliver-events',
  'log-generations',
  'make-stills',
  'sweep-files',
  'sweep-jobs',
  'sweep-events',
  'sweep-workspaces',
  'reconcile-rows',
  'run-canary',
  'open-provider-key',
  'answer-unrouted',
  'derive-values',
  'look-up-region',
  'publish-console',
];

describe('functions', () => {
  test('are one for each route, each with its own role and log group', async () => {
    const names = [...Object.keys(routes), ...WITHOUT_ROUTE];
    const found = programsOf(prod).map(({ name }) => name);
    expect(found.toSorted()).toEqual([...names, 'upload-server'].toSorted());
    const ours = names.length;
    const accessLog = 1;
    const server = 1;
    prod.resourceCountIs('AWS::Lambda::Function', ours);
    prod.resourceCountIs('AWS::Logs::LogGroup', accessLog);
    const logs = Object.values((await synthesizePart('Logs', 'prod')).findResources('AWS::Logs::LogGroup'));
    expect(logs).toHaveLength(ours + server);
    for (const { Properties, DeletionPolicy } of logs) {
      expect(Properties).toMatchObject({
        LogGroupName: expect.stringMatching(/^\/Genway-prod\/[a-z-]+$/),
        RetentionInDays: 90,
      });
      expect(DeletionPolicy).toBe('Delete');
    }
  });

  test('run on Node.js 24, and on ARM where they need nothing that is built for another processor', () => {
    const functions = Object.values(prod.findResources('AWS::Lambda::Function'));
    for (const { Properties } of functions) expect(Properties.Runtime).toBe('nodejs24.x');
    const elsewhere = functions.filter(({ Properties }) => Properties.Architectures[0] !== 'arm64');
    expect(elsewhere.map(({ Properties }) => [Properties.Architectures, Properties.Layers])).toEqual([
      [['x86_64'], [{ Ref: expect.stringContaining('Decoder') }]],
    ]);
  });

  test('that consume queues may write to their own queue for ever', () => {
    const consumers = prod.findResources('AWS::Lambda::Function', {
      Properties: { RecursiveLoop: 'Allow' },
    });
    expect(Object.keys(consumers)).toHaveLength(4);
    // The others read a table's stream.
    prod.resourceCountIs('AWS::Lambda::EventSourceMapping', 6);
  });
});

describe('the canary', () => {
  test('may read its own key, and nothing else', () => {
    const rights = programsOf(prod).find(({ name }) => name === 'run-canary')?.statements ?? [];
    const actions = rights.flatMap(({ Action }) => Action).filter((action) => !action.startsWith('logs:'));
    expect(actions).toEqual(['secretsmanager:GetSecretValue']);
    prod.resourceCountIs('AWS::Lambda::Url', 0);
  });

  test('has a public webhook receiver without rights, if the stage offers the sandbox', async () => {
    const dev = await synthesize('dev');
    dev.hasResourceProperties('AWS::Lambda::Url', { AuthType: 'NONE' });
    const programs = programsOf(dev);
    const rights = programs.find(({ name }) => name === 'receive-canary-webhook')?.statements ?? [];
    expect(rights.flatMap(({ Action }) => Action)).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
    const { CANARY_RECEIVER } = programs.find(({ name }) => name === 'run-canary')?.variables ?? {};
    expect(JSON.stringify(CANARY_RECEIVER)).toContain('FunctionUrl');
  });

  test('calls the address that callers use, and is left out without one or by the setting', async () => {
    const run = (template: Template) => programsOf(template).find(({ name }) => name === 'run-canary');
    const named = await synthesize('prod', { ...WITHOUT_EDGE, domain: { name: 'api.example.com' } });
    expect(run(named)?.variables.CANARY_TARGET).toBe('https://api.example.com/api/v1');
    expect(run(await synthesize('prod', WITHOUT_EDGE))).toBeUndefined();
    expect(run(await synthesize('prod', { canary: false }))).toBeUndefined();
  });
});

test('outputs name the trigger of each worker', () => {
  const told = (output: string) =>
    JSON.stringify(Object.values(prod.findOutputs(output))[0]?.Value).match(/(?<="Ref":")\w+/g) ?? [];
  const made = (type: string) => Object.keys(prod.findResources(type));
  expect(told('Feeds').toSorted()).toEqual(made('AWS::Lambda::EventSourceMapping').toSorted());
  expect(told('Schedules').toSorted()).toEqual(made('AWS::Scheduler::Schedule').toSorted());
});

test('sweepers run on a schedule, with one role that may only call them', () => {
  const schedules = Object.values(prod.findResources('AWS::Scheduler::Schedule'));
  const rates = schedules.map(({ Properties }) => Properties.ScheduleExpression);
  expect(rates.toSorted()).toEqual(['rate(1 hour)', ...Array(4).fill('rate(1 minute)'), 'rate(5 minutes)']);
  const targets = schedules.map(({ Properties }) => Properties.Target);
  const [role = '', ...others] = new Set(targets.map(({ RoleArn }) => RoleArn['Fn::GetAtt'][0]));
  expect(others).toEqual([]);
  const statements = rolesOf(prod).get(role) ?? [];
  expect([...new Set(statements.flatMap(({ Action }) => Action))]).toEqual(['lambda:InvokeFunction']);
  const resources = statements.flatMap(({ Resource }) => Resource);
  expect(sorted(resources)).toEqual(sorted(targets.map(({ Arn }) => Arn)));
  for (const { RetryPolicy } of targets) expect(RetryPolicy).toEqual({ MaximumRetryAttempts: 0 });
});

describe('queues', () => {
  test('have a dead-letter queue each and receive at least five times', () => {
    const all = prod.findResources('AWS::SQS::Queue');
    const work = Object.values(all).filter(({ Properties }) => Properties?.RedrivePolicy !== undefined);
    expect(work).toHaveLength(4);
    expect(Object.keys(all)).toHaveLength(8);
    for (const { Properties } of work) {
      expect(Properties.RedrivePolicy.maxReceiveCount).toBeGreaterThanOrEqual(5);
      expect(Properties.SqsManagedSseEnabled).toBe(true);
    }
  });

  test('hide a message for six times their consumer’s time-out', () => {
    for (const [visibility, timeout] of [
      [360, 60],
      [240, 40],
    ]) {
      prod.hasResourceProperties('AWS::SQS::Queue', { VisibilityTimeout: visibility });
      prod.hasResourceProperties('AWS::Lambda::Function', { Timeout: timeout, RecursiveLoop: 'Allow' });
    }
  });

  test('and streams begin with a table’s first row, and retry for six hours', () => {
    prod.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      EventSourceArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^WebhooksEvents'), 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
      MaximumRecordAgeInSeconds: 6 * 3600,
      BisectBatchOnFunctionError: true,
      FilterCriteria: {
        Filters: [
          {
            Pattern: JSON.stringify({
              eventName: ['INSERT'],
              dynamodb: { NewImage: { job_id: { S: [{ exists: true }] } } },
            }),
          },
        ],
      },
    });
  });

  test('report the failures of a batch one by one', () => {
    prod.allResourcesProperties('AWS::Lambda::EventSourceMapping', {
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });
});

describe('data', () => {
  test('in prod outlives the stack and can be restored to any second', () => {
    prod.allResources('AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Retain',
      Properties: Match.objectLike({ BillingMode: 'PAY_PER_REQUEST' }),
    });
    for (const table of Object.values(prod.findResources('AWS::DynamoDB::GlobalTable'))) {
      expect(table.Properties.Replicas).toEqual([
        expect.objectContaining({
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        }),
      ]);
    }
    prod.allResources('AWS::S3::Bucket', { DeletionPolicy: 'RetainExceptOnCreate' });
  });

  test('in S3 is private, and unfinished uploads are deleted after a day', () => {
    prod.allResourcesProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      // A page of any origin may read the target of a signed link.
      CorsConfiguration: {
        CorsRules: [Match.objectLike({ AllowedOrigins: ['*'], AllowedMethods: ['GET', 'HEAD'] })],
      },
      LifecycleConfiguration: {
        Rules: Match.arrayWith([
          Match.objectLike({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }),
        ]),
      },
    });
  });

  test('of videos lives as long as a stage or a workspace may say, and no rule ends it earlier', () => {
    const rulesSchema = v.object({
      Properties: v.object({
        LifecycleConfiguration: v.object({
          Rules: v.array(
            v.object({ ExpirationInDays: v.optional(v.number()), Prefix: v.optional(v.string()) }),
          ),
        }),
      }),
    });
    const buckets = Object.values(prod.findResources('AWS::S3::Bucket')).flatMap(
      (bucket) => v.parse(rulesSchema, bucket).Properties.LifecycleConfiguration.Rules,
    );
    const lives = buckets.filter(({ ExpirationInDays }) => ExpirationInDays !== undefined);
    const prefixes = lives.map(({ Prefix = '' }) => Prefix);
    expect(
      Object.fromEntries(lives.map(({ ExpirationInDays }, i) => [prefixes[i], ExpirationInDays])),
    ).toEqual({
      'inputs/': 7,
      'bedrock/': 7,
      ...Object.fromEntries(RETENTION_DAYS.map((days) => [`kept-${days}d/`, days])),
    });
    for (const [i, prefix] of prefixes.entries()) {
      expect(prefixes.filter((other, j) => i !== j && other.startsWith(prefix))).toEqual([]);
    }
  });

  test('in S3 and SQS travels over TLS only', () => {
    const insecure = Match.objectLike({
      Effect: 'Deny',
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
    for (const type of ['AWS::S3::BucketPolicy', 'AWS::SQS::QueuePolicy']) {
      prod.allResourcesProperties(type, { PolicyDocument: { Statement: Match.arrayWith([insecure]) } });
    }
  });
});

test.each([
  ['local', '4'],
  ['dev', undefined],
])(
  'every function of %s waits %s times as long for AWS, because an emulator is slower',
  async (stage, patience) => {
    const functions = (await synthesize(stage)).findResources('AWS::Lambda::Function');
    const ours = Object.values(functions).map(({ Properties }) => Properties.Environment?.Variables ?? {});
    const told = ours.filter(({ POWERTOOLS_SERVICE_NAME: name }) => name !== undefined);
    expect(told.length).toBeGreaterThan(0);
    expect(new Set(told.map(({ AWS_PATIENCE }) => AWS_PATIENCE))).toEqual(new Set([patience]));
  },
);

test('every function writes its metrics into the namespace of its stage', async () => {
  const functions = (await synthesize('dev')).findResources('AWS::Lambda::Function');
  const ours = Object.values(functions).map(({ Properties }) => Properties.Environment?.Variables ?? {});
  const told = ours.filter(({ POWERTOOLS_SERVICE_NAME: name }) => name !== undefined);
  expect(told.length).toBeGreaterThan(0);
  expect(new Set(told.map(({ METRICS_NAMESPACE }) => METRICS_NAMESPACE))).toEqual(new Set(['Genway/dev']));
});

test.each([
  ['native', {}],
  ['openrouter', { wireNames: 'openrouter' }],
] as const)('the deliverer knows which wire names to use: %s', async (wireNames, changes) => {
  (await synthesize('dev', changes)).hasResourceProperties('AWS::Lambda::Function', {
    Environment: { Variables: Match.objectLike({ WIRE_NAMES: wireNames }) },
  });
});

const sorted = (some: readonly unknown[]): string[] => some.map((one) => JSON.stringify(one)).toSorted();
