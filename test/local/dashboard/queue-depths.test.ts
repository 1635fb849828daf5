import { expect, test } from '@jest/globals';
import { QueueDepths } from '../../../local/dashboard/queue-depths.ts';
import { OwnQueue } from '../../engines/conformance/index.ts';
import { AwsWorld } from '../../engines/index.ts';

test('queue depths are like CloudWatch’s, for as long as a view can reach back', async () => {
  const world = new AwsWorld();
  const { sqs } = world.startProcess();
  const queue = new OwnQueue(sqs, world.sqs.createQueue('jobs'));
  for (const body of ['a', 'b']) await queue.send(body);
  await queue.send('later', { DelaySeconds: 60 });
  const depths = new QueueDepths(sqs, 10);
  await depths.look(['jobs'], 100);
  const metric = { namespace: 'AWS/SQS', dimensions: { QueueName: 'jobs' }, at: 100 };
  const first = [
    { ...metric, name: 'ApproximateNumberOfMessagesVisible', value: 2 },
    { ...metric, name: 'ApproximateNumberOfMessagesDelayed', value: 1 },
  ];
  expect(depths.samples).toEqual(first);
  await depths.look(['jobs'], 109);
  expect(depths.samples).toHaveLength(4);
  await depths.look([], 110);
  expect(depths.samples.map(({ at }) => at)).toEqual([109, 109]);
});
