import { describe, expect, test } from '@jest/globals';
import { routes } from '../../functions/endpoints/definitions.ts';
import type { Route } from '../../functions/http/routes.ts';
import { programsOf, type Statement } from './roles.ts';
import { synthesize } from './template.ts';

const everyProvider = { providers: { fal: { credential: 'workspace' as const } }, models: [] };
const prod = programsOf(await synthesize('prod', { videos: everyProvider }));

function statementsOf(name: string, programs = prod): readonly Statement[] {
  return programs.find((program) => program.name === name)!.statements;
}
const actionsOf = (name: string) => new Set(statementsOf(name).flatMap(({ Action }) => Action));
const allowed = (action: string, resource = '') =>
  prod
    .filter(({ statements }) =>
      statements.some(
        ({ Action, Resource }) => Action.includes(action) && JSON.stringify(Resource).includes(resource),
      ),
    )
    .map(({ name }) => name)
    .toSorted();
const conditionsOf = (name: string, action: string) =>
  statementsOf(name)
    .filter(({ Action }) => Action.includes(action))
    .map(({ Condition }) => Condition);
const updatesOf = (...attributes: string[]) => ({
  'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes },
  StringEqualsIfExists: { 'dynamodb:ReturnValues': 'NONE' },
});

describe('programs', () => {
  test('have no wildcard in actions', () => {
    const actions = prod.flatMap(({ statements }) => statements.flatMap(({ Action }) => Action));
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
  });

  test('have no bare wildcard as resource, unless AWS supports nothing narrower', () => {
    const open = prod.filter(({ statements }) => statements.some(({ Resource }) => Resource === '*'));
    expect(open.map(({ name }) => name)).toEqual(['look-up-region']);
  });

  test('query one index of a table, and no row action reaches an index', () => {
    for (const { statements } of prod) {
      for (const { Action, Resource } of statements) {
        const isOnIndex = JSON.stringify(Resource).includes('/index/');
        expect(JSON.stringify(Resource)).not.toContain('/index/*');
        if (isOnIndex) expect(Action).toEqual(['dynamodb:Query']);
      }
    }
  });
});

describe('the audit trail', () => {
  const ofTrail = ({ Resource }: Statement) => /"Audit[0-9A-F]{8}"/.test(JSON.stringify(Resource));

  test('is added to and read; no role may update or delete a row of it', () => {
    const actions = prod.flatMap(({ statements }) =>
      statements.filter(ofTrail).flatMap(({ Action }) => Action),
    );
    expect([...new Set(actions)].toSorted()).toEqual([
      'dynamodb:BatchGetItem',
      'dynamodb:PutItem',
      'dynamodb:Query',
    ]);
  });

  test('refuses such changes to everybody, whatever other roles of the account may do', async () => {
    const template = await synthesize('prod');
    const [table] = Object.entries(template.findResources('AWS::DynamoDB::GlobalTable')).filter(([id]) =>
      /^Audit[0-9A-F]{8}$/.test(id),
    );
    const [replica] = table![1].Properties.Replicas;
    expect(replica.ResourcePolicy.PolicyDocument.Statement).toEqual([
      {
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: expect.arrayContaining([
          'dynamodb:UpdateItem',
          'dynamodb:DeleteItem',
          'dynamodb:BatchWriteItem',
          'dynamodb:PartiQLUpdate',
          'dynamodb:PartiQLDelete',
        ]),
        Resource: '*',
      },
    ]);
  });

  test('is copied to where nobody can change it, if the stage wants that, by a role that cannot read or delete a copy', async () => {
    const plain = await synthesize('prod');
    plain.resourcePropertiesCountIs('AWS::S3::Bucket', { ObjectLockEnabled: true }, 0);
    const template = await synthesize('prod', { auditExportDays: 365 });
    const locked = template.findResources('AWS::S3::Bucket', { Properties: { ObjectLockEnabled: true } });
    expect(Object.values(locked)).toMatchObject([
      {
        DeletionPolicy: 'RetainExceptOnCreate',
        Properties: {
          ObjectLockConfiguration: { Rule: { DefaultRetention: { Days: 365, Mode: 'COMPLIANCE' } } },
          VersioningConfiguration: { Status: 'Enabled' },
        },
      },
    ]);
    const { statements } = programsOf(template).find(({ name }) => name === 'export-audit')!;
    const actions = statements.flatMap(({ Action }) => Action).filter((action) => action.startsWith('s3:'));
    expect(actions.toSorted()).toEqual(['s3:AbortMultipartUpload', 's3:ListBucket', 's3:PutObject']);
  });

  test('has a second copy in the log, in which no role may change a line', () => {
    const actions = prod.flatMap(({ statements }) => statements.flatMap(({ Action }) => Action));
    const ofLogs = [...new Set(actions)].filter((action) => action.startsWith('logs:'));
    expect(ofLogs.toSorted()).toEqual(['logs:CreateLogStream', 'logs:PutLogEvents']);
  });
});

describe('the table of keys', () => {
  const closed = Object.entries<Route>(routes).filter(([, { access }]) => access !== 'public');

  test.each(closed.map(([name]) => name))('%s may record the use of a key', (name) => {
    expect(conditionsOf(name, 'dynamodb:UpdateItem')).toContainEqual(updatesOf('hash', 'last_used_at'));
  });

  test('lets nobody widen a key or make it a management key', () => {
    const changes = prod.flatMap(({ statements }) =>
      statements.filter(
        ({ Action, Resource }) =>
          Action.includes('dynamodb:UpdateItem') && /"Keys[0-9A-F]{8}"/.test(JSON.stringify(Resource)),
      ),
    );
    const uploadServer = 1;
    const changers = ['update-key', 'assign-keys', 'unassign-keys'].length;
    expect(changes).toHaveLength(closed.length + uploadServer + changers);
    const conditions = new Set(changes.map(({ Condition }) => JSON.stringify(Condition)));
    const settings = ['name', 'disabled', 'external_user', 'expires_at', 'rate_limits'];
    const changeable = ['workspace_id', ...settings, 'guardrail_id', 'guardrail_since'];
    expect([...conditions].map((condition) => JSON.parse(condition))).toEqual([
      updatesOf('hash', 'last_used_at'),
      updatesOf('hash', 'updated_at', ...changeable),
    ]);
  });
});

describe('the deliverer', () => {
  test('can use its events, its settings, its hosts, its queue, its keys and what traces need, and nothing else', () => {
    expect(actionsOf('deliver-events')).toEqual(
      new Set([
        ...['logs:CreateLogStream', 'logs:PutLogEvents'],
        ...['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
        ...['sqs:SendMessage', 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility'],
        ...['sqs:GetQueueUrl', 'sqs:GetQueueAttributes'],
        ...['kms:GenerateMac', 'kms:Decrypt'],
      ]),
    );
  });

  test('and programs that show a secret, submit jobs or run at deployment may derive signatures, and no others', () => {
    expect(allowed('kms:GenerateMac', '"WebhooksSigningKey')).toEqual([
      'deliver-events',
      'derive-values',
      'reveal-webhook-secret',
      'rotate-webhook-secret',
      // It signs the addresses for providers' callbacks.
      'submit-jobs',
    ]);
  });
});

describe('a public program', () => {
  const open = Object.entries<Route>(routes).filter(([, { access }]) => access === 'public');

  /** The reads of a public program. They show every caller the models and their health. */
  const [FIGURES, ROWS] = [['dynamodb:GetItem', 'dynamodb:Query'], ['dynamodb:GetItem']];
  const READS: Readonly<Record<string, readonly string[]>> = {
    'list-video-models': FIGURES,
    'list-models': FIGURES,
    'get-model': FIGURES,
    'list-model-endpoints': FIGURES,
    'count-models': ROWS,
    'list-providers': ROWS,
  };

  const WRITERS = ['receive-callback', 'create-oidc-session'];

  test('receive-callback may only count in the rows of jobs, and have pollers look', () => {
    const statements = statementsOf('receive-callback').filter(
      ({ Action }) => !Action.includes('logs:PutLogEvents'),
    );
    expect(statements.map(({ Action, Condition }) => [Action, Condition])).toEqual([
      [['dynamodb:UpdateItem'], updatesOf('id', 'callbacks', 'submits', 'phase')],
      [['sqs:SendMessage'], undefined],
    ]);
  });

  test('create-oidc-session may begin keys and sessions, and changes no key', () => {
    const tables = statementsOf('create-oidc-session').flatMap(({ Action, Resource }) => {
      const [...named] = JSON.stringify(Resource).matchAll(/"([A-Za-z]+)[0-9A-F]{8}"/g);
      return named.flatMap(([, table]) =>
        Action.filter((action) => !action.startsWith('logs:')).map((action) => `${table} ${action}`),
      );
    });
    const rights: Readonly<Record<string, readonly string[]>> = {
      Accounts: ['UpdateItem'],
      Audit: ['PutItem'],
      Buckets: ['UpdateItem'],
      Keys: ['GetItem', 'PutItem', 'Query'],
      Lists: ['BatchGetItem', 'DeleteItem', 'PutItem'],
      Sessions: ['PutItem'],
      Workspaces: ['UpdateItem'],
    };
    const expected = Object.entries(rights).flatMap(([table, actions]) =>
      actions.map((action) => `${table} dynamodb:${action}`),
    );
    expect([...new Set(tables)].toSorted()).toEqual(expected);
  });

  const others = open.map(([name]) => name).filter((name) => !WRITERS.includes(name));
  test.each([...others, 'answer-unrouted'])(
    '%s may only write its own log and read what it shows',
    (name) => {
      const log = ['logs:CreateLogStream', 'logs:PutLogEvents'];
      expect(actionsOf(name)).toEqual(new Set([...(READS[name] ?? []), ...log]));
    },
  );

  test.each(Object.keys(READS))('%s reads only the tables of endpoints and figures', (name) => {
    const reads = statementsOf(name).filter(({ Action }) => JSON.stringify(Action).includes('dynamodb'));
    for (const { Resource } of reads)
      expect(JSON.stringify(Resource)).toMatch(/"Routing(Endpoints|Figures)[0-9A-F]{8}"/);
    expect(reads).toHaveLength(READS[name]?.length ?? 0);
  });
});

describe('private logs', () => {
  const keysOf = (action: string) =>
    prod.flatMap(({ name, statements }) =>
      statements
        .filter(({ Action }) => Action.includes(action))
        .map(({ Resource }) => [name, /"(\w+?)[0-9A-F]{8}"/.exec(JSON.stringify(Resource))?.[1]]),
    );

  test('are encrypted by the function that writes them, and decrypted by the one that shows them', () => {
    expect(allowed('kms:GenerateDataKey')).toEqual(['log-generations']);
    expect(keysOf('kms:GenerateDataKey')).toEqual([['log-generations', 'GenerationsKey']]);
    const openers = keysOf('kms:Decrypt').filter(([, key]) => key === 'GenerationsKey');
    expect(openers).toEqual([['get-generation-content', 'GenerationsKey']]);
  });

  test('are decrypted by a function that cannot decrypt provider keys', () => {
    const keys = keysOf('kms:Decrypt').filter(([name]) => name === 'get-generation-content');
    expect(keys).toEqual([['get-generation-content', 'GenerationsKey']]);
  });
});

describe('provider keys', () => {
  const ofProviders = (...names: string[]) => [
    { StringEqualsIfExists: { 'kms:EncryptionContext:provider': names } },
  ];
  const opener = 'open-provider-key';
  const tester = 'test-provider-key';
  /** These send traces, so they decrypt the trace headers, which are stored beside the provider keys. */
  const senders = ['deliver-events', 'test-workspace-broadcast'];
  const ofFiles = [
    'delete-file',
    'get-file',
    'get-file-content',
    'list-files',
    'upload-file',
    'upload-server',
  ];

  test('are decrypted only by the functions that call providers, and encrypted by those that receive them', () => {
    const logs = 'get-generation-content';
    const callers = ['cancel-video', 'copy-videos', logs, opener, 'poll-videos', 'submit-jobs', tester];
    expect(allowed('kms:Decrypt')).toEqual([...callers, ...senders].toSorted());
    expect(allowed('kms:Encrypt')).toEqual([
      'create-destination',
      'create-provider-key',
      'put-workspace-broadcast',
      'update-destination',
      'update-provider-key',
    ]);
  });

  test.each(senders)('%s decrypts only headers of traces, and reads no provider key', (name) => {
    expect(conditionsOf(name, 'kms:Decrypt')).toEqual(ofProviders('broadcast:headers'));
    expect(JSON.stringify(statementsOf(name))).not.toContain('ProviderKeysTable');
  });

  test.each(ofFiles)('%s parses outside bytes: it may ask for a key, but cannot decrypt one', (name) => {
    const statements = statementsOf(name);
    // It may sign links to what Genway itself stores.
    const keys = statements.filter(({ Action }) => Action.some((action) => action.startsWith('kms:')));
    for (const { Action, Resource } of keys) {
      expect([Action, JSON.stringify(Resource)]).toEqual([
        ['kms:GenerateMac'],
        expect.stringContaining('"DownloadsKey'),
      ]);
    }
    expect(JSON.stringify(statements)).not.toMatch(/ProviderKeys(Table|Key)/);
    const invoked = statements.filter(({ Action }) => Action.some((action) => action.startsWith('lambda:')));
    expect(invoked).toEqual([
      expect.objectContaining({
        Action: ['lambda:InvokeFunction'],
        Resource: { Ref: expect.stringMatching(/^ProviderKeyOpenerLive[0-9A-F]{8}$/) },
      }),
    ]);
  });

  test('of all called providers can be decrypted to be tested, by a function that only reads rows', () => {
    expect(conditionsOf(tester, 'kms:Decrypt')).toEqual(ofProviders('openai', 'anthropic', 'fal'));
    const rows = statementsOf(tester).filter(({ Resource }) =>
      JSON.stringify(Resource).includes('ProviderKeysTable'),
    );
    expect(rows.map(({ Action }) => Action)).toEqual([['dynamodb:GetItem']]);
  });

  test('of file providers are opened by a function that can do nothing else', () => {
    expect(conditionsOf(opener, 'kms:Decrypt')).toEqual(ofProviders('openai', 'anthropic'));
    expect(actionsOf(opener)).toEqual(
      new Set([
        ...['logs:CreateLogStream', 'logs:PutLogEvents'],
        ...['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query', 'kms:Decrypt'],
      ]),
    );
    expect(allowed('lambda:InvokeFunction')).toEqual(ofFiles.toSorted());
  });

  test.each(['submit-jobs', 'poll-videos', 'copy-videos', 'cancel-video'])(
    'can be decrypted by %s only for the stage’s video providers',
    (name) => {
      expect(conditionsOf(name, 'kms:Decrypt')).toEqual(ofProviders('fal'));
    },
  );

  test('are not needed if no video provider uses one', async () => {
    const keyless = programsOf(await synthesize('prod'));
    for (const name of ['submit-jobs', 'poll-videos']) {
      const actions = statementsOf(name, keyless).flatMap(({ Action }) => Action);
      expect(actions).not.toContain('kms:Decrypt');
    }
  });
});

describe('results', () => {
  const written = (name: string) =>
    statementsOf(name)
      .filter(({ Action }) => Action.includes('s3:PutObject'))
      .map(({ Resource }) => JSON.stringify(Resource));

  test('are written only by the copier, which writes nothing else', () => {
    expect(written('copy-videos')).toEqual([expect.stringMatching(/"\/kept-\*"/)]);
    for (const name of ['submit-jobs', 'poll-videos']) expect(written(name)).toEqual([]);
    expect(written('submit-video')).toEqual([expect.stringMatching(/"\/inputs\/\*"/)]);
  });

  test('are copied without the right to submit, or to read inputs', () => {
    const statements = JSON.stringify(statementsOf('copy-videos'));
    expect(statements).not.toMatch(/Files|inputs/);
    // The copier may only send messages to its own queue.
    const queues = statementsOf('copy-videos').filter(({ Action }) => Action.includes('sqs:SendMessage'));
    expect(JSON.stringify(queues)).not.toMatch(/Videos(Submits|Queue)/);
  });
});

describe('Bedrock', () => {
  const bedrock = { credential: 'none' as const, aws: { region: 'us-west-2', bucket: 'videos-west' } };
  const isBedrock = ({ Action }: Statement) => Action.some((action) => action.startsWith('bedrock:'));

  test('cannot be called by any function if the stage does not offer it', () => {
    expect(prod.filter(({ statements }) => statements.some(isBedrock))).toEqual([]);
  });

  test('can be called by the submitter, for the models of the catalogue; its results can be read by the copier, and be deleted with their jobs', async () => {
    const programs = programsOf(await synthesize('prod', { videos: { providers: { bedrock }, models: [] } }));
    const users = programs.filter(({ statements }) => statements.some(isBedrock));
    expect(users.map(({ name }) => name).toSorted()).toEqual(['copy-videos', 'poll-videos', 'submit-jobs']);
    const arn = (...rest: unknown[]) => ({
      'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ...rest]],
    });
    const invocations = arn(':bedrock:us-west-2:', { Ref: 'AWS::AccountId' }, ':async-invoke/*');
    expect(statementsOf('submit-jobs', programs)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          Action: ['bedrock:InvokeModel'],
          Resource: [invocations, arn(':bedrock:us-west-2::foundation-model/luma.ray-v2:0')],
        }),
        expect.objectContaining({ Action: ['bedrock:GetAsyncInvoke'], Resource: invocations }),
        expect.objectContaining({ Action: ['s3:PutObject'], Resource: arn(':s3:::videos-west/bedrock/*') }),
      ]),
    );
    expect(statementsOf('copy-videos', programs)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ Action: ['bedrock:GetAsyncInvoke'], Resource: invocations }),
        expect.objectContaining({ Action: ['s3:GetObject'], Resource: arn(':s3:::videos-west/bedrock/*') }),
      ]),
    );
    for (const remover of ['delete-video', 'sweep-workspaces']) {
      expect(statementsOf(remover, programs)).toEqual(
        expect.arrayContaining([
          expect.objectContaining({
            Action: ['s3:ListBucket'],
            Resource: arn(':s3:::videos-west'),
            Condition: { StringLike: { 's3:prefix': 'bedrock/*' } },
          }),
          expect.objectContaining({
            Action: ['s3:DeleteObject'],
            Resource: expect.arrayContaining([arn(':s3:::videos-west/bedrock/*')]),
          }),
        ]),
      );
    }
    const copies = statementsOf('copy-videos', programs).flatMap(({ Action }) => Action);
    expect(copies).not.toContain('bedrock:InvokeModel');
  });
});
