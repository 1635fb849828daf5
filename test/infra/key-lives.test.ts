import { expect, test } from '@jest/globals';
import { rolesOf } from './roles.ts';
import { synthesize } from './template.ts';

const prod = await synthesize('prod');

/** The unconditional rights of a role, one line for each action and resource. */
function grantsOf(role: RegExp): string[] {
  return [...rolesOf(prod)]
    .filter(([id]) => role.test(id))
    .flatMap(([, statements]) => statements)
    .filter(({ Condition }) => Condition === undefined)
    .flatMap(({ Action, Resource }) => {
      const things = JSON.stringify(Resource).match(/(?<=")[A-Za-z]+(?=[0-9A-F]{8}",)/g) ?? [];
      return Action.flatMap((action) => [...new Set(things)].map((thing) => `${action} ${thing}`));
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
])('%s may write rows that depend on a key or a workspace', (role, grants) => {
  expect(grantsOf(new RegExp(`^${role}`))).toEqual(expect.arrayContaining(grants));
});

test('the sweeper of workspaces may delete stored data, but not read it', () => {
  const grants = grantsOf(/^WorkspaceSweeperRole/);
  for (const bucket of ['FilesBucket', 'VideosResults']) {
    expect(grants).toEqual(expect.arrayContaining([`s3:ListBucket ${bucket}`, `s3:DeleteObject ${bucket}`]));
  }
  expect(grants.filter((grant) => /s3:Get|s3:Put|kms:/.test(grant))).toEqual([]);
});
