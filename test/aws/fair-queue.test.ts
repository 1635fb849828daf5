import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { expect, test } from '@jest/globals';
import { SqsFairQueue } from '../../functions/aws/fair-queue.ts';
import { DeployedStage } from '../deployed/deployed-stage.ts';
import { AwsWorld } from '../engines/index.ts';

test('a message comes after its delay, with its group', async () => {
  const world = new AwsWorld();
  const QueueUrl = new DeployedStage(world).name('Videos-Queue');
  const { sqs } = world.startProcess();
  await new SqsFairQueue<object>(sqs, QueueUrl).send({ v: 1 }, 'w-1', 60);
  const receive = async () => {
    const command = new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['All'] });
    const { Messages = [] } = await sqs.send(command);
    return Messages.map(({ Body, Attributes }) => [Body, Attributes?.MessageGroupId]);
  };
  expect(await receive()).toEqual([]);
  await world.clock.wait(60_000);
  expect(await receive()).toEqual([['{"v":1}', 'w-1']]);
});
