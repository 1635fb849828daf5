import {
  CreateQueueCommand,
  type Message,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageCommand,
  type SendMessageCommandInput,
  type SQSClient,
} from '@aws-sdk/client-sqs';

/** A queue for one test. */
export class OwnQueue {
  readonly client: SQSClient;
  readonly url: string;

  static async create(client: SQSClient, Attributes?: Record<string, string>): Promise<OwnQueue> {
    const { QueueUrl } = await client.send(
      new CreateQueueCommand({ QueueName: `own-${crypto.randomUUID()}`, ...(Attributes && { Attributes }) }),
    );
    return new OwnQueue(client, QueueUrl ?? '');
  }

  constructor(client: SQSClient, url: string) {
    this.client = client;
    this.url = url;
  }

  async send(MessageBody: string, input: Partial<SendMessageCommandInput> = {}) {
    return this.client.send(new SendMessageCommand({ QueueUrl: this.url, MessageBody, ...input }));
  }

  async receive(input: Partial<ReceiveMessageCommandInput> = {}): Promise<Message[]> {
    const { Messages = [] } = await this.client.send(
      new ReceiveMessageCommand({ QueueUrl: this.url, MaxNumberOfMessages: 10, ...input }),
    );
    return Messages;
  }

  async bodies(input: Partial<ReceiveMessageCommandInput> = {}): Promise<unknown[]> {
    return (await this.receive(input)).map(({ Body }) => Body);
  }
}
