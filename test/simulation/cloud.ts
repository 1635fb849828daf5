import { DeleteMessageBatchCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { AwsWorld } from '../engines/aws-world.ts';
import { DeployedStage } from '../engines/deployed/deployed-stage.ts';
import { never, type Process } from '../engines/process.ts';
import type { FunctionName, InstanceScript } from './bundle.ts';
import { type Handler, type InstanceModules, startFunction } from './instance.ts';

/** Why an invocation has no result. */
export class InvocationFailed extends Error {
  override readonly name = 'InvocationFailed';
}

interface Instance {
  readonly process: Process;
  readonly handler: Handler;
}

/** What machines are made with; a simulation changes it as it goes on. */
export interface Machines {
  /** By how many milliseconds the next machine's clock is wrong. */
  skew: () => number;
  /** Whether an instance that has done its work is kept for the next one. */
  keeps: () => boolean;
  readonly outside: (
    process: Process,
  ) => Pick<InstanceModules, 'provider' | 'providerNames'> & { fetch: typeof fetch };
  readonly count: InstanceModules['count'];
  /** What a consumer or a sweeper has thrown. */
  readonly onFailure: (error: unknown) => undefined;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** In seconds, as `lib/` gives them. */
const TIMEOUTS: Partial<Record<FunctionName, number>> = {
  'poll-videos': 60,
  'copy-videos': 900,
  'deliver-events': 40,
  'sweep-jobs': 50,
  'sweep-events': 50,
  'reconcile-rows': 600,
};
const TIMEOUT_OF_ROUTES = 20;

const CONSUMERS = [
  { name: 'poll-videos', queue: 'Videos-Queue', batch: 10, atOnce: 5 },
  { name: 'copy-videos', queue: 'Videos-Copies', batch: 1, atOnce: 5 },
  { name: 'deliver-events', queue: 'Webhooks-Queue', batch: 10, atOnce: 5 },
] as const;

/** What differs from the stage that the engines are made of. */
const SETTINGS = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'nobody',
  AWS_SECRET_ACCESS_KEY: 'none',
  PRIVATE_HOSTS: '',
  VIDEO_PROVIDERS: JSON.stringify({
    sandbox: {},
    kling: { credential: 'none' },
    fal: { credential: 'none' },
    replicate: { credential: 'none' },
  }),
};

/** Lambda, its queues and its schedules over the engines: it runs the real handlers, and loses some. */
export class Cloud {
  readonly world: AwsWorld;
  readonly stage: DeployedStage;
  /** Of invocations that are under way. */
  underWay = 0;
  readonly #script: InstanceScript;
  readonly #machines: Machines;
  readonly #idle = new Map<FunctionName, Instance[]>();
  #alive = new Set<Instance>();
  #isRunning = true;

  constructor(world: AwsWorld, script: InstanceScript, machines: Machines) {
    this.world = world;
    this.stage = new DeployedStage(world);
    this.#script = script;
    this.#machines = machines;
  }

  start(): void {
    for (const consumer of CONSUMERS) void this.#consume(consumer);
  }

  stop(): void {
    this.#isRunning = false;
    this.killAll();
  }

  /** @throws InvocationFailed, or what the handler throws */
  async invoke(name: FunctionName, event: unknown = {}): Promise<unknown> {
    const instance = this.#idle.get(name)?.pop() ?? this.#startInstance(name);
    const over = new AbortController();
    const milliseconds = (TIMEOUTS[name] ?? TIMEOUT_OF_ROUTES) * SECOND;
    const late = this.world.clock.wait(milliseconds, over.signal).then(
      () => {
        this.#kill(instance);
        throw new InvocationFailed('timed out');
      },
      () => never(),
    );
    const died = instance.process.crashed.then(() => {
      this.#alive.delete(instance);
      throw new InvocationFailed('died');
    });
    this.underWay++;
    try {
      const result = await Promise.race([instance.handler(event, CONTEXT), late, died]);
      this.#giveBack(name, instance);
      return result;
    } catch (error) {
      if (instance.process.isAlive) this.#giveBack(name, instance);
      throw error;
    } finally {
      this.underWay--;
      over.abort();
    }
  }

  /** As when a rack loses its power: nobody ends what it does. */
  killAll(): void {
    for (const instance of this.#alive) this.#kill(instance);
    this.#idle.clear();
  }

  /** As a deployment does: who is idle goes, who works goes afterwards. */
  replaceAll(): void {
    this.#idle.clear();
    this.#alive = new Set();
  }

  #giveBack(name: FunctionName, instance: Instance): void {
    if (!this.#alive.has(instance) || !this.#machines.keeps()) return;
    this.#idle.set(name, [...(this.#idle.get(name) ?? []), instance]);
  }

  #kill(instance: Instance): void {
    this.#alive.delete(instance);
    instance.process.crash({
      service: 'sqs',
      operation: 'none',
      index: 0,
      nth: 0,
      process: instance.process.name,
      input: undefined,
    });
  }

  #startInstance(name: FunctionName): Instance {
    const { process, dynamodb: _, ...clients } = this.world.startProcess(name);
    const { clock, random } = this.world;
    const skew = this.#machines.skew();
    const { fetch, ...outside } = this.#machines.outside(process);
    const handler = startFunction(name, this.#script, {
      environment: { ...this.stage.environment(name), ...SETTINGS },
      modules: { ...clients, ...outside, count: this.#machines.count, log: SILENT },
      wait: clock.wait,
      now: () => clock.now().getTime() + skew,
      random,
      fetch,
    });
    const instance = { process, handler };
    this.#alive.add(instance);
    return instance;
  }

  /** An event source mapping. */
  async #consume({ name, queue, batch, atOnce }: (typeof CONSUMERS)[number]): Promise<void> {
    const { sqs } = this.world.startProcess(`mapping of ${queue}`);
    const QueueUrl = this.stage.name(queue);
    const batches = new Set<Promise<void>>();
    while (this.#isRunning) {
      if (batches.size >= atOnce) await Promise.race(batches);
      await this.world.sqs.untilWaiting(QueueUrl, HOUR);
      const receive = new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: batch,
        MessageSystemAttributeNames: ['All'],
      });
      const { Messages = [] } = await sqs.send(receive).catch(() => ({ Messages: [] }));
      if (Messages.length === 0) continue;
      const work = this.#consumeBatch(name, sqs, QueueUrl, Messages).finally(() => batches.delete(work));
      batches.add(work);
    }
  }

  async #consumeBatch(
    name: FunctionName,
    sqs: ReturnType<AwsWorld['startProcess']>['sqs'],
    QueueUrl: string,
    messages: readonly Message[],
  ): Promise<void> {
    const records = messages.map(({ MessageId, ReceiptHandle, Body, Attributes }) => ({
      messageId: MessageId,
      receiptHandle: ReceiptHandle,
      body: Body,
      attributes: Attributes,
      messageAttributes: {},
      eventSource: 'aws:sqs',
    }));
    const failed = await this.invoke(name, { Records: records }).then(failedIds, this.#machines.onFailure);
    const done = messages.filter(({ MessageId }) => failed !== undefined && !failed.includes(MessageId));
    if (done.length === 0) return;
    const Entries = done.map(({ MessageId, ReceiptHandle }) => ({ Id: MessageId, ReceiptHandle }));
    // What cannot be deleted comes back.
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries })).catch(() => undefined);
  }

  /** Every minute, twice now and then, as EventBridge does; not where nothing is due, which would change nothing. */
  async sweepEachMinute(isDue: (table: string) => boolean, isTwice: () => boolean): Promise<void> {
    const sweepers = [
      { name: 'sweep-jobs', table: this.stage.name('Videos-Jobs') },
      { name: 'sweep-events', table: this.stage.name('Webhooks-Events') },
    ] as const;
    while (this.#isRunning) {
      await this.world.clock.wait(MINUTE);
      for (const { name, table } of sweepers) {
        if (!isDue(table)) continue;
        void this.invoke(name).catch(this.#machines.onFailure);
        if (isTwice()) void this.invoke(name).catch(this.#machines.onFailure);
      }
    }
  }
}

const CONTEXT = { functionName: 'simulated', awsRequestId: 'simulated' };
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

function failedIds(result: unknown): readonly unknown[] {
  const failures: unknown = Object(result).batchItemFailures;
  return Array.isArray(failures) ? failures.map((failure) => Object(failure).itemIdentifier) : [];
}
