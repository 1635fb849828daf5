import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { describe, expect, test } from '@jest/globals';
import { readRetained, retainedBy, type StackEvent } from '../../../bin/adopt/retained.ts';
import { HOLDS_DATA } from '../../../bin/changes/command.ts';
import { ROOT } from '../../../lib/bundling/folders.ts';
import { genway } from '../cli/genway.ts';

const skipped = (type: string, logicalId: string, physicalId: string, second = 1): StackEvent => ({
  at: new Date(second * 1000),
  status: 'DELETE_SKIPPED',
  type,
  logicalId,
  physicalId,
});
const TABLE = 'AWS::DynamoDB::GlobalTable';

describe('what a deleted stack has left', () => {
  test('is each table, bucket and key, with its identifier for CloudFormation', () => {
    const events = [
      skipped(TABLE, 'Keys4E', 'Genway-prod-Keys4E-ABC'),
      skipped('AWS::S3::Bucket', 'FilesBucket7C', 'genway-prod-filesbucket-xyz'),
      skipped('AWS::KMS::Key', 'WebhooksSigningKeyE9', '1234-abcd'),
      { ...skipped(TABLE, 'Gone', 'gone'), status: 'DELETE_COMPLETE' },
      skipped('AWS::Logs::LogGroup', 'Log', 'log'),
    ];
    expect(retainedBy(events)).toEqual({
      Keys4E: { TableName: 'Genway-prod-Keys4E-ABC' },
      FilesBucket7C: { BucketName: 'genway-prod-filesbucket-xyz' },
      WebhooksSigningKeyE9: { KeyId: '1234-abcd' },
    });
  });

  test('has only the last resource for each logical id', () => {
    const events = [skipped(TABLE, 'Keys4E', 'last', 9), skipped(TABLE, 'Keys4E', 'replaced', 5)];
    for (const some of [events, events.toReversed()]) {
      expect(retainedBy(some)).toEqual({ Keys4E: { TableName: 'last' } });
    }
  });

  test('can be every resource with data except queues, which are deleted with their messages', () => {
    const left = retainedBy(HOLDS_DATA.map((type) => skipped(type, type, 'x')));
    expect(Object.keys(left)).toEqual(HOLDS_DATA.filter((type) => type !== 'AWS::SQS::Queue'));
  });
});

describe('CloudFormation', () => {
  /** Serves one fixed answer for each CloudFormation action. */
  async function answering<T>(
    answers: Record<string, string>,
    ask: (client: CloudFormationClient) => Promise<T>,
  ) {
    const server = createServer(async (request, response) => {
      const query = new URLSearchParams(await text(request));
      const action = query.get('Action') ?? '';
      const answer = answers[`${action} ${query.get('StackName')}`] ?? answers[action];
      response.writeHead(answer === undefined ? 400 : 200, { 'content-type': 'text/xml' });
      const gone = `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${query.get('StackName')} does not exist</Message></Error></ErrorResponse>`;
      response.end(
        answer === undefined
          ? gone
          : `<${action}Response><${action}Result>${answer}</${action}Result></${action}Response>`,
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
      return await ask(
        new CloudFormationClient({ endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', credentials }),
      );
    } finally {
      server.close();
    }
  }
  const deleted = (id: string, day: number, name = 'Genway-prod') =>
    `<member><StackName>${name}</StackName><StackId>${id}</StackId><StackStatus>DELETE_COMPLETE</StackStatus><CreationTime>2026-01-01T00:00:00Z</CreationTime><DeletionTime>2026-01-0${day}T00:00:00Z</DeletionTime></member>`;
  const kept = (physicalId: string) =>
    `<StackEvents><member><StackId>s</StackId><EventId>e</EventId><StackName>n</StackName><Timestamp>2026-01-02T00:00:00Z</Timestamp><LogicalResourceId>Keys4E</LogicalResourceId><PhysicalResourceId>${physicalId}</PhysicalResourceId><ResourceType>${TABLE}</ResourceType><ResourceStatus>DELETE_SKIPPED</ResourceStatus></member></StackEvents>`;

  test('returns the events of the last deleted stack that left something', async () => {
    const summaries = [
      deleted('old', 2),
      deleted('empty', 4),
      deleted('last', 3),
      deleted('other', 5, 'Genway-dev'),
    ];
    const answers = {
      ListStacks: `<StackSummaries>${summaries.join('')}</StackSummaries>`,
      'DescribeStackEvents old': kept('old-table'),
      'DescribeStackEvents last': kept('last-table'),
      'DescribeStackEvents empty': '<StackEvents></StackEvents>',
      'DescribeStackEvents other': kept('other-table'),
    };
    expect(await answering(answers, (client) => readRetained('Genway-prod', client))).toEqual({
      stackId: 'last',
      deletedAt: new Date('2026-01-03T00:00:00Z'),
      mapping: { Keys4E: { TableName: 'last-table' } },
    });
  });

  test('without a deleted stack causes an error, and so does a stack that still exists', async () => {
    const none = { ListStacks: '<StackSummaries></StackSummaries>' };
    await expect(answering(none, (client) => readRetained('Genway-prod', client))).rejects.toThrow(
      'no stack Genway-prod that was deleted',
    );
    const inStatus = (status: string) => ({
      ...none,
      DescribeStacks: `<Stacks><member><StackName>Genway-prod</StackName><CreationTime>2026-01-01T00:00:00Z</CreationTime><StackStatus>${status}</StackStatus></member></Stacks>`,
    });
    await expect(
      answering(inStatus('CREATE_COMPLETE'), (client) => readRetained('Genway-prod', client)),
    ).rejects.toThrow('The stack Genway-prod exists');
    // The stack comes from a change set that nobody has executed, so it contains nothing yet.
    await expect(
      answering(inStatus('REVIEW_IN_PROGRESS'), (client) => readRetained('Genway-prod', client)),
    ).rejects.toThrow('no stack Genway-prod that was deleted');
  });
});

test('genway adopt writes the file for cdk import, and prints the next steps', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'genway-adopt-'));
  try {
    const out = join(folder, 'adopt.json');
    const mapping = { Keys4E: { TableName: 'Genway-prod-Keys4E-ABC' } };
    const retained = async () => ({ stackId: 'arn:stack', deletedAt: new Date(0), mapping });
    const ended = await genway(['adopt', '--stage', 'prod', '--out', out], {}, { retained });
    expect([ended.code, ended.err]).toEqual([0, '']);
    expect(ended.out).toContain(`Next: npx cdk import Genway-prod -c stage=prod --resource-mapping ${out}\n`);
    expect(JSON.parse(await readFile(out, 'utf8'))).toEqual(mapping);
    const spaced = join(folder, "the stage's.json");
    const { out: told } = await genway(['adopt', '--out', spaced], {}, { retained });
    expect(told).toContain(`--resource-mapping '${folder}/the stage'\\''s.json'\n`);
    expect(JSON.parse(await readFile(spaced, 'utf8'))).toEqual(mapping);
    const config = join(folder, 'mine.jsonc');
    await writeFile(config, '{"data":"destroy","region":"eu-west-1"}');
    const asked: unknown[] = [];
    const ofFile = await genway(
      ['adopt', '--config', config, '--out', out],
      {},
      {
        retained: async (...given) => {
          asked.push(given);
          return retained();
        },
      },
    );
    expect(asked).toEqual([['Genway-mine', 'eu-west-1']]);
    expect(ofFile.out).toContain(
      `Next: (cd ${ROOT} && npx cdk import Genway-mine -c config=${config} --resource-mapping ${out})\n` +
        `Then: npx genway deploy --config ${config}\n`,
    );
    const ofApp = await genway(['adopt', '--stack', 'Media', '--out', out], {}, { retained });
    expect(ofApp.out).toContain(
      `Next: npx cdk import Media --resource-mapping ${out}\nThen: npx cdk deploy Media\n`,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
