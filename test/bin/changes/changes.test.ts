import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { describe, expect, test } from '@jest/globals';
import { HOLDS_DATA, losesData, type PlannedChange } from '../../../bin/changes/command.ts';
import { readChanges } from '../../../bin/changes/read-changes.ts';
import { genway } from '../cli/genway.ts';

const change = (fields: Partial<PlannedChange> = {}): PlannedChange => ({
  logicalId: 'Keys4E30B592',
  type: 'AWS::DynamoDB::GlobalTable',
  action: 'Modify',
  replacement: 'False',
  ...fields,
});

describe('what a deployment would do to data', () => {
  test.each(HOLDS_DATA)('%s may be added and changed, but neither replaced nor removed', (type) => {
    const loses = (action: string, replacement?: string) => losesData(change({ type, action, replacement }));
    expect([loses('Add'), loses('Modify', 'False'), loses('Import')]).toEqual([false, false, false]);
    expect([loses('Modify', 'True'), loses('Modify', 'Conditional'), loses('Remove')]).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('a resource without data may be replaced', () => {
    expect(losesData(change({ type: 'AWS::Lambda::Function', replacement: 'True' }))).toBe(false);
  });
});

describe('genway changes', () => {
  const changes = (planned: PlannedChange[], ...args: string[]) => {
    const asked: string[][] = [];
    const ran = genway(
      ['changes', '--stage', 'prod', '--change-set', 'next', ...args],
      {},
      {
        changes: async (...what) => {
          asked.push(what);
          return planned;
        },
      },
    );
    return ran.then((ended) => ({ ...ended, asked }));
  };
  const harmless = change({ type: 'AWS::Lambda::Function', logicalId: 'SubmitVideo', replacement: 'True' });

  test('lists them, and accepts them if no data is lost', async () => {
    expect(await changes([harmless, change()])).toMatchObject({
      code: 0,
      asked: [['Genway-prod', 'next']],
      out: `Modify, replaced          AWS::Lambda::Function                 SubmitVideo
Modify                    AWS::DynamoDB::GlobalTable            Keys4E30B592
`,
    });
    expect(await changes([])).toMatchObject({
      code: 0,
      out: 'The change set next has no changes or does not exist\n',
    });
  });

  test('refuses a replacement of a table, unless it is allowed by its name', async () => {
    const replaced = [harmless, change({ replacement: 'True' })];
    const refused = await changes(replaced);
    expect([refused.code, refused.err]).toEqual([
      1,
      expect.stringContaining(
        'could lose or leave behind the data of these resources: Keys4E30B592. To accept this, name each of them with --allow\n',
      ),
    ]);
    expect((await changes(replaced, '--allow', 'Accounts')).code).toBe(1);
    expect((await changes(replaced, '--allow', 'Keys4E30B592')).code).toBe(0);
  });
});

describe('a change set', () => {
  /** Serves CloudFormation's answers over HTTP, one page at a time. */
  async function answering(pages: Readonly<Record<string, string>>) {
    const server = createServer(async (request, response) => {
      const asked = new URLSearchParams(await text(request));
      const page = pages[`${asked.get('ChangeSetName')} ${asked.get('NextToken') ?? 1}`];
      response.writeHead(page === undefined ? 404 : 200, { connection: 'close', 'content-type': 'text/xml' });
      response.end(page ?? NOT_FOUND);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const credentials = { accessKeyId: 'nobody', secretAccessKey: 'none' };
    const endpoint = `http://127.0.0.1:${port}`;
    const client = new CloudFormationClient({ region: 'us-east-1', credentials, endpoint });
    return { client, close: () => server.close() };
  }
  const NOT_FOUND =
    '<ErrorResponse><Error><Type>Sender</Type><Code>ChangeSetNotFound</Code><Message>no</Message></Error></ErrorResponse>';
  const page = (members: string, next = '', status = 'CREATE_COMPLETE') =>
    `<DescribeChangeSetResponse><DescribeChangeSetResult><Status>${status}</Status><Changes>${members}</Changes>${next}</DescribeChangeSetResult></DescribeChangeSetResponse>`;
  const member = (id: string, type: string, more: string) =>
    `<member><Type>Resource</Type><ResourceChange><LogicalResourceId>${id}</LogicalResourceId><ResourceType>${type}</ResourceType>${more}</ResourceChange></member>`;

  test('is read completely, including nested stacks', async () => {
    const nested =
      '<Action>Modify</Action><Replacement>False</Replacement><ChangeSetId>arn:inner</ChangeSetId>';
    const { client, close } = await answering({
      'next 1': page(member('Watch', 'AWS::CloudFormation::Stack', nested), '<NextToken>2</NextToken>'),
      'next 2': page(
        member(
          'Keys',
          'AWS::DynamoDB::GlobalTable',
          '<Action>Modify</Action><Replacement>True</Replacement>',
        ),
      ),
      'arn:inner 1': page(member('Alarm', 'AWS::CloudWatch::Alarm', '<Action>Remove</Action>')),
    });
    const found = await readChanges('Genway-prod', 'next', client);
    close();
    expect(found.map(({ logicalId, action, replacement }) => [logicalId, action, replacement])).toEqual([
      ['Watch', 'Modify', 'False'],
      ['Alarm', 'Remove', undefined],
      ['Keys', 'Modify', 'True'],
    ]);
    expect(found.filter(losesData).map(({ logicalId }) => logicalId)).toEqual(['Keys']);
  });

  test.each([
    ['CREATE_IN_PROGRESS', '', 'The change set next is CREATE_IN_PROGRESS: its changes are not known'],
    ['FAILED', '<StatusReason>No access</StatusReason>', 'The change set next is FAILED: No access'],
  ])('that is %s is no set without changes', async (status, reason, message) => {
    const { client, close } = await answering({ 'next 1': page('', reason, status) });
    await expect(readChanges('Genway-prod', 'next', client)).rejects.toThrow(message);
    close();
  });

  test('that failed because nothing changes has no changes', async () => {
    const reason = "<StatusReason>The submitted information didn't contain changes.</StatusReason>";
    const { client, close } = await answering({ 'next 1': page('', reason, 'FAILED') });
    expect(await readChanges('Genway-prod', 'next', client)).toEqual([]);
    close();
  });

  test('that does not exist has no changes', async () => {
    const { client, close } = await answering({});
    expect(await readChanges('Genway-prod', 'next', client)).toEqual([]);
    close();
  });
});
