import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { AwsWorld } from '../engines/index.ts';
import { DeployedStage } from './deployed-stage.ts';

describe('a stage in the engines', () => {
  let world: AwsWorld;
  let stage: DeployedStage;
  beforeAll(() => {
    world = new AwsWorld();
    stage = new DeployedStage(world);
  });

  test('has every table, with the indexes that the code queries', async () => {
    const { dynamo } = world.startProcess();
    for (const path of ['Videos-Jobs', 'Webhooks-Events']) {
      const overdue = new QueryCommand({
        TableName: stage.name(path),
        IndexName: 'overdue',
        KeyConditionExpression: 'active = :shard AND due_at < :due',
        ExpressionAttributeValues: { ':shard': 'active-0', ':due': 1 },
      });
      expect((await dynamo.send(overdue)).Items).toEqual([]);
    }
    expect(world.dynamodb.table(stage.name('Files-Table')).names).toEqual({
      hash: 'workspace_id',
      range: 'id',
    });
    expect(world.dynamodb.table(stage.name('Replays')).expiresBy).toBe('expires_at');
    expect(() => stage.name('Nowhere')).toThrow('the stage has no Nowhere');
  });

  test('has its queues, and behind each one for dead letters', async () => {
    const { sqs } = world.startProcess();
    const { Attributes } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl: stage.name('Videos-Queue'), AttributeNames: ['All'] }),
    );
    expect(Attributes).toMatchObject({ VisibilityTimeout: '360' });
    expect(JSON.parse(Attributes?.RedrivePolicy ?? '')).toEqual({
      deadLetterTargetArn: expect.stringMatching(/:Videos-QueueDeadLetters$/),
      maxReceiveCount: 5,
    });
  });

  test('gives each function the names of what it uses', () => {
    expect(stage.environment('poll-videos')).toMatchObject({
      JOBS_TABLE: stage.name('Videos-Jobs'),
      JOBS_QUEUE_URL: stage.name('Videos-Queue'),
      RESULTS_BUCKET: stage.name('Videos-Results'),
      ACCOUNTS_TABLE: 'Accounts',
    });
    expect(stage.environment('deliver-events').SIGNING_KEY_ID).toBe(stage.name('Webhooks-SigningKey'));
  });
});
