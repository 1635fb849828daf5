import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { type Route, routes } from '../../functions/http/routes.ts';
import { RETENTION_DAYS } from '../../functions/retention-days.ts';
import { synthesize } from './template.ts';

let prod: Template;
beforeAll(() => {
  prod = synthesize('prod');
});

/** The function that CDK brings along to look things up while it deploys. */
const CDK_SINGLETON = 'AWS679f53fac002430cb0da5b7982bd2287';

const statementSchema = v.object({
  Action: v.union([v.string(), v.array(v.string())]),
  Resource: v.unknown(),
  Condition: v.optional(v.unknown()),
});
const policySchema = v.object({
  Properties: v.object({ PolicyDocument: v.object({ Statement: v.array(statementSchema) }) }),
});

/** Every statement of every function's role. */
function statements() {
  const policies = Object.values(prod.findResources('AWS::IAM::Policy'));
  return policies.flatMap((policy) => v.parse(policySchema, policy).Properties.PolicyDocument.Statement);
}

describe('functions', () => {
  test('are one a route, with a role and a log group each', () => {
    const ofRoutes = Object.keys(routes).length;
    const consumersSweepersFallback = 2 + 3 + 1;
    const ofCdk = 1;
    const server = 1;
    prod.resourceCountIs('AWS::Lambda::Function', ofRoutes + consumersSweepersFallback + ofCdk);
    prod.resourceCountIs('AWS::Logs::LogGroup', ofRoutes + consumersSweepersFallback + ofCdk + server);
  });

  test('run on Node.js 24 on ARM, with a time-out below API Gateway’s', () => {
    const ours = Object.entries(prod.findResources('AWS::Lambda::Function')).filter(
      ([id]) => !id.startsWith(CDK_SINGLETON),
    );
    for (const [, { Properties }] of ours) {
      expect(Properties).toMatchObject({ Runtime: 'nodejs24.x', Architectures: ['arm64'] });
    }
  });

  test('may do no action by wildcard but what CDK’s S3 grants narrow to one bucket', () => {
    const actions = statements().flatMap(({ Action }) => Action);
    expect(actions.filter((action) => action === '*' || /^[a-z0-9]+:\*$/.test(action))).toEqual([]);
    const open = actions.filter((action) => action.includes('*'));
    expect(new Set(open)).toEqual(
      new Set(['s3:GetBucket*', 's3:GetObject*', 's3:List*', 's3:DeleteObject*', 's3:Abort*']),
    );
  });

  test('may touch no resource by a bare wildcard, but where an action knows no other', () => {
    const open = statements().filter(({ Resource }) => Resource === '*');
    expect(open.map(({ Action }) => Action)).toEqual([
      'ec2:DescribeManagedPrefixLists',
      'ecr:GetAuthorizationToken',
    ]);
  });

  test('that consume queues may write to the queue that feeds them for ever', () => {
    const consumers = prod.findResources('AWS::Lambda::Function', {
      Properties: { RecursiveLoop: 'Allow' },
    });
    expect(Object.keys(consumers)).toHaveLength(2);
    prod.resourceCountIs('AWS::Lambda::EventSourceMapping', 2);
  });
});

describe('functions that take credentials', () => {
  test('may note the use of a key, and change nothing else of it', () => {
    const closed = Object.values<Route>(routes).filter(({ access }) => access !== 'public');
    const condition = {
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': ['hash', 'last_used_at'] },
      StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
    };
    const noting = statements().filter(({ Condition }) => Condition !== undefined);
    const uploadServer = 1;
    expect(noting).toHaveLength(closed.length + uploadServer);
    for (const { Action, Condition } of noting) {
      expect([Action, Condition]).toEqual(['dynamodb:UpdateItem', condition]);
    }
  });
});

describe('queues', () => {
  test('have a dead-letter queue each and receive at least five times', () => {
    const all = prod.findResources('AWS::SQS::Queue');
    const work = Object.values(all).filter(({ Properties }) => Properties?.RedrivePolicy !== undefined);
    expect(work).toHaveLength(2);
    expect(Object.keys(all)).toHaveLength(4);
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
    prod.allResources('AWS::S3::Bucket', { DeletionPolicy: 'Retain' });
  });

  test('in S3 is private, and uploads that never ended are gone after a day', () => {
    prod.allResourcesProperties('AWS::S3::Bucket', {
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      LifecycleConfiguration: {
        Rules: Match.arrayWith([
          Match.objectLike({ AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 } }),
        ]),
      },
    });
  });

  test('of videos lives as long as a stage or a workspace may say, and no rule cuts another short', () => {
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

describe('the deliverer', () => {
  test('reaches its events, its settings, its hosts, its queue and its key, and nothing else', () => {
    const policies = prod.findResources('AWS::IAM::Policy');
    const [policy] = Object.entries(policies)
      .filter(([id]) => id.startsWith('WebhooksDelivererRole'))
      .map(([, resource]) => v.parse(policySchema, resource));
    const actions = policy!.Properties.PolicyDocument.Statement.flatMap(({ Action }) => Action);
    expect(new Set(actions)).toEqual(
      new Set([
        ...['logs:CreateLogStream', 'logs:PutLogEvents'],
        ...['dynamodb:GetItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
        ...['sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'],
        ...['sqs:GetQueueUrl', 'sqs:GetQueueAttributes'],
        'kms:GenerateMac',
      ]),
    );
  });

  test('and who shows a new secret or the public key may derive what signs, and no other', () => {
    const mayDerive = Object.entries(prod.findResources('AWS::IAM::Policy'))
      .filter(([, policy]) => JSON.stringify(policy).includes('kms:GenerateMac'))
      .map(([id]) => id.replace(/RoleDefaultPolicy.*$/, ''));
    expect(mayDerive.sort()).toEqual([
      'RestApigetwebhookkeys',
      'RestApirotatewebhooksecret',
      'WebhooksDeliverer',
    ]);
  });
});

test.each(['native', 'openrouter'] as const)('the deliverer knows which names to use: %s', (wireNames) => {
  synthesize('dev', { wireNames }).hasResourceProperties('AWS::Lambda::Function', {
    Environment: { Variables: Match.objectLike({ WIRE_NAMES: wireNames }) },
  });
});

describe('Bedrock', () => {
  const bedrockOf = (template: Template) =>
    JSON.stringify(template.findResources('AWS::IAM::Policy')).match(/"bedrock:\w+"/g) ?? [];

  test('is open to no function where the stage does not offer it', () => {
    expect(bedrockOf(prod)).toEqual([]);
  });

  test('is open to the poller alone, for the models of the catalogue, and its results with it', () => {
    const bedrock = {
      credential: 'none' as const,
      aws: { region: 'us-west-2', bucket: 'videos-west' },
    };
    const template = synthesize('prod', { videos: { providers: { bedrock }, models: [] } });
    const granted = ['"bedrock:InvokeModel"', '"bedrock:StartAsyncInvoke"', '"bedrock:GetAsyncInvoke"'];
    expect(bedrockOf(template)).toEqual(granted);
    const arn = (...rest: unknown[]) => ({
      'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ...rest]],
    });
    const invocations = arn(':bedrock:us-west-2:', { Ref: 'AWS::AccountId' }, ':async-invoke/*');
    template.hasResourceProperties('AWS::IAM::Policy', {
      Roles: [{ Ref: Match.stringLikeRegexp('^VideosPollerRole') }],
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: ['bedrock:InvokeModel', 'bedrock:StartAsyncInvoke'],
            Resource: [arn(':bedrock:us-west-2::foundation-model/luma.ray-v2:0'), invocations],
          }),
          Match.objectLike({ Action: 'bedrock:GetAsyncInvoke', Resource: invocations }),
          Match.objectLike({
            Action: ['s3:GetObject', 's3:PutObject'],
            Resource: arn(':s3:::videos-west/bedrock/*'),
          }),
        ]),
      },
    });
  });
});

describe('provider keys', () => {
  const allowed = (action: string) =>
    Object.entries(prod.findResources('AWS::IAM::Policy'))
      .filter(([, policy]) => JSON.stringify(policy).includes(`"${action}"`))
      .map(([id]) => id.replace(/RoleDefaultPolicy.*$/, ''));

  test('are in clear only for the functions that call providers', () => {
    expect(allowed('kms:Decrypt').sort()).toEqual([
      'LargeUploadsServerTaskTask',
      'RestApicancelvideo',
      'RestApideletefile',
      'RestApigetfile',
      'RestApigetfilecontent',
      'RestApilistfiles',
      'RestApiuploadfile',
      'VideosPoller',
    ]);
    expect(allowed('kms:Encrypt').sort()).toEqual(['RestApicreateproviderkey', 'RestApiupdateproviderkey']);
  });
});

describe('the API', () => {
  test('answers in the error body also where no function runs', () => {
    for (const [type, status] of [
      ['DEFAULT_4XX', '400'],
      ['DEFAULT_5XX', '500'],
      ['MISSING_AUTHENTICATION_TOKEN', '404'],
      ['REQUEST_TOO_LARGE', '413'],
      ['THROTTLED', '429'],
    ]) {
      prod.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
        ResponseType: type,
        StatusCode: status,
        ResponseTemplates: { 'application/json': Match.stringLikeRegexp(`"code":${status}`) },
      });
    }
  });

  test('has a method for every route, and the fallback for every other method', () => {
    const methods = Object.values(prod.findResources('AWS::ApiGateway::Method'));
    const paths = new Set(Object.values(routes).map(({ path }) => path));
    const proxiesAndRoot = 3;
    expect(methods.filter(({ Properties }) => Properties.HttpMethod === 'ANY')).toHaveLength(
      paths.size + proxiesAndRoot,
    );
    expect(methods.filter(({ Properties }) => Properties.HttpMethod !== 'ANY')).toHaveLength(
      Object.keys(routes).length,
    );
  });
});
