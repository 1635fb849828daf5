import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { synthesize } from './template.ts';

const prod = synthesize('prod');

const policySchema = v.object({
  Roles: v.tuple([v.object({ Ref: v.string() })]),
  PolicyDocument: v.object({
    Statement: v.array(
      v.object({
        Action: v.union([v.string(), v.array(v.string())]),
        Resource: v.unknown(),
        Condition: v.optional(v.unknown()),
      }),
    ),
  }),
});

/** What a role may do without further conditions, a line for each action and thing. */
function grantsOf(role: RegExp): string[] {
  const policies = Object.values(prod.findResources('AWS::IAM::Policy')).map(({ Properties }) =>
    v.parse(policySchema, Properties),
  );
  return policies
    .filter(({ Roles: [{ Ref }] }) => role.test(Ref))
    .flatMap(({ PolicyDocument: { Statement } }) => Statement)
    .filter(({ Condition }) => Condition === undefined)
    .flatMap(({ Action, Resource }) => {
      const things = JSON.stringify(Resource).match(/(?<=")[A-Za-z]+(?=[0-9A-F]{8}",)/g) ?? [];
      return [Action].flat().flatMap((action) => [...new Set(things)].map((thing) => `${action} ${thing}`));
    });
}

test.each([
  ['RestApiuploadfileRole', ['dynamodb:ConditionCheckItem Keys', 'dynamodb:ConditionCheckItem Workspaces']],
  [
    'LargeUploadsServer.*TaskRole',
    ['dynamodb:ConditionCheckItem Keys', 'dynamodb:ConditionCheckItem Workspaces'],
  ],
  [
    'RestApideletekeyRole',
    ['dynamodb:DeleteItem Keys', 'dynamodb:UpdateItem Accounts', 'dynamodb:UpdateItem Workspaces'],
  ],
  [
    'RestApideleteworkspaceRole',
    [
      'dynamodb:UpdateItem Workspaces',
      'dynamodb:DeleteItem Workspaces',
      'dynamodb:UpdateItem Accounts',
      'dynamodb:DeleteItem ProviderKeysTable',
      'dynamodb:DeleteItem Guardrails',
      'dynamodb:UpdateItem WebhooksSettings',
    ],
  ],
])('%s may write what goes by a key or a workspace', (role, grants) => {
  expect(grantsOf(new RegExp(`^${role}`))).toEqual(expect.arrayContaining(grants));
});

test('the sweeper of workspaces may delete what was stored, and read none of it', () => {
  const grants = grantsOf(/^WorkspaceSweeperRole/);
  for (const bucket of ['FilesBucket', 'VideosResults']) {
    expect(grants).toEqual(expect.arrayContaining([`s3:ListBucket ${bucket}`, `s3:DeleteObject ${bucket}`]));
  }
  expect(grants.filter((grant) => /s3:Get|s3:Put|kms:/.test(grant))).toEqual([]);
});
