import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { NotFound } from '../../functions/http/errors.ts';
import { readKeyReport, readKeyWithLimits } from '../../functions/keys/find-key.ts';
import { KeyStore } from '../../functions/keys/key-store.ts';
import { emptyAccount, keyAccount } from '../../functions/money/account.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { AwsWorld } from '../engines/index.ts';
import { startKeys, WORKSPACE } from './key-world.ts';
import { storedKey } from './stored-key.ts';

const table = (TableName: string, AttributeName: string) => ({
  TableName,
  KeySchema: [{ AttributeName, KeyType: 'HASH' }],
  AttributeDefinitions: [{ AttributeName, AttributeType: 'S' }],
});

function deployment() {
  const world = new AwsWorld();
  world.dynamodb.createTable(table('keys', 'hash'));
  world.dynamodb.createTable(table('accounts', 'account'));
  const { dynamo } = world.startProcess();
  const stores = { keys: new KeyStore(dynamo, 'keys'), accounts: new AccountStore(dynamo, 'accounts') };
  return {
    dynamo,
    stores,
    put: (name: string, Item: object) => dynamo.send(new PutCommand({ TableName: name, Item: { ...Item } })),
  };
}

const key = storedKey({ name: 'Mine' });

describe('the report of a key', () => {
  test('consists of its row and its account', async () => {
    const { dynamo, stores, put } = deployment();
    await put('keys', key);
    expect(await readKeyReport(dynamo, stores, key.hash)).toEqual({
      key,
      account: emptyAccount(keyAccount(key.hash)),
    });
    await put('accounts', { ...emptyAccount(keyAccount(key.hash)), open_jobs: 3 });
    expect(await readKeyReport(dynamo, stores, key.hash)).toMatchObject({ key, account: { open_jobs: 3 } });
  });

  test('reads the keys again that DynamoDB left unprocessed', async () => {
    const { dynamo, stores, put } = deployment();
    await put('keys', key);
    await put('accounts', { ...emptyAccount(keyAccount(key.hash)), open_jobs: 3 });
    let calls = 0;
    // Under load DynamoDB may leave one table of a batch unprocessed.
    dynamo.middlewareStack.add(
      (next) => async (args) => {
        const input: unknown = args.input;
        if (calls++ > 0 || !isBatch(input)) return next(args);
        const { keys, accounts } = input.RequestItems;
        const result = await next({ ...args, input: { RequestItems: { keys } } as typeof args.input });
        return { ...result, output: { ...result.output, UnprocessedKeys: { accounts } } };
      },
      { step: 'initialize' },
    );
    expect(await readKeyReport(dynamo, stores, key.hash)).toMatchObject({ key, account: { open_jobs: 3 } });
    expect(calls).toBe(2);
  });

  test('is missing for a key that does not exist', async () => {
    const { dynamo, stores } = deployment();
    await expect(readKeyReport(dynamo, stores, key.hash)).rejects.toThrow(NotFound);
  });
});

test('the guardrail that a key names limits it in its own workspace alone', async () => {
  const other = { ...WORKSPACE, id: randomUUID(), slug: 'other' };
  const { dynamo, stores, tables } = await startKeys([WORKSPACE, other]);
  const named = storedKey({ workspace_id: WORKSPACE.id, guardrail_id: randomUUID() });
  await dynamo.send(new PutCommand({ TableName: tables.keys, Item: named }));
  const guardrailIn = async (workspaceId: string) => {
    const report = await readKeyWithLimits(dynamo, stores, { hash: named.hash, workspaceId });
    return report.limiting.guardrailId;
  };
  expect(await guardrailIn(WORKSPACE.id)).toBe(named.guardrail_id);
  expect(await guardrailIn(other.id)).toBe(other.default_guardrail_id);
});

function isBatch(input: unknown): input is { RequestItems: Record<string, object> } {
  return typeof input === 'object' && input !== null && 'RequestItems' in input;
}
