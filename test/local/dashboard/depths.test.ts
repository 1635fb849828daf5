import { expect, test } from '@jest/globals';
import { depthsOf } from '../../../local/dashboard/watched-run.ts';
import { OwnQueue } from '../../engines/conformance/index.ts';
import { AwsWorld } from '../../engines/index.ts';

test('queue depths are like CloudWatch’s', async () => {
  const world = new AwsWorld();
  const { sqs } = world.startProcess();
  const queue = new OwnQueue(sqs, world.sqs.createQueue('jobs'));
  for (const body of ['a', 'b']) await queue.send(body);
  await queue.send('later', { DelaySeconds: 60 });
  const metric = { namespace: 'AWS/SQS', dimensions: { QueueName: 'jobs' }, at: 100 };
  expect(await depthsOf(sqs, 'jobs', 100, new AbortController().signal)).toEqual([
    { ...metric, name: 'ApproximateNumberOfMessagesVisible', value: 2 },
    { ...metric, name: 'ApproximateNumberOfMessagesDelayed', value: 1 },
  ]);
});
