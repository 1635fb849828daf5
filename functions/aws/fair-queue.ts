import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** A standard queue in which a busy group's messages do not hold up those of others. */
export interface FairQueue<Message> {
  send(message: Message, group: string, delaySeconds: number): Promise<void>;
}

export class SqsFairQueue<Message> implements FairQueue<Message> {
  readonly #client: SQSClient;
  readonly #url: string;

  constructor(client: SQSClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  async send(message: Message, group: string, delaySeconds: number): Promise<void> {
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#url,
        MessageBody: JSON.stringify(message),
        MessageGroupId: group,
        DelaySeconds: delaySeconds,
      }),
    );
  }
}
