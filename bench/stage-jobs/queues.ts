import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { GetQueueAttributesCommand, PurgeQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { STACK } from '../../local/deployment/deploy.ts';
import type { AwsAccess } from '../../local/emulator/aws-access.ts';

/** The messages of a queue: visible, delayed, and in flight. */
export interface Depth {
  readonly waiting: number;
  readonly delayed: number;
  readonly taken: number;
}

/** The stage's queues, by their names in the stack. */
export class Queues {
  readonly #client: SQSClient;
  readonly #urls: ReadonlyMap<string, string>;

  static async find(aws: AwsAccess): Promise<Queues> {
    const client = new CloudFormationClient(aws);
    const urls = new Map<string, string>();
    for await (const { StackResourceSummaries = [] } of paginateListStackResources(
      { client },
      { StackName: STACK },
    )) {
      for (const { ResourceType, LogicalResourceId = '', PhysicalResourceId = '' } of StackResourceSummaries)
        if (ResourceType === 'AWS::SQS::Queue') urls.set(withoutHash(LogicalResourceId), PhysicalResourceId);
    }
    return new Queues(new SQSClient(aws), urls);
  }

  private constructor(client: SQSClient, urls: ReadonlyMap<string, string>) {
    this.#client = client;
    this.#urls = urls;
  }

  get names(): string[] {
    return [...this.#urls.keys()];
  }

  async depth(name: string): Promise<Depth> {
    const { Attributes = {} } = await this.#client.send(
      new GetQueueAttributesCommand({ QueueUrl: this.#urlOf(name), AttributeNames: ['All'] }),
    );
    return {
      waiting: Number(Attributes.ApproximateNumberOfMessages),
      delayed: Number(Attributes.ApproximateNumberOfMessagesDelayed),
      taken: Number(Attributes.ApproximateNumberOfMessagesNotVisible),
    };
  }

  async purge(name: string): Promise<void> {
    await this.#client.send(new PurgeQueueCommand({ QueueUrl: this.#urlOf(name) }));
  }

  #urlOf(name: string): string {
    const url = this.#urls.get(name);
    if (url === undefined) throw new Error(`the stack has no queue ${name}: ${this.names.join(', ')}`);
    return url;
  }
}

const withoutHash = (logicalId: string) => logicalId.replace(/[0-9A-F]{8}$/, '');
