import { SendMessageCommand, StartMessageMoveTaskCommand } from '@aws-sdk/client-sqs';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import { type Command, chosen } from './history.ts';
import type { Scene } from './scene.ts';

const SWEEPERS = ['sweep-jobs', 'sweep-events', 'sweep-files', 'sweep-workspaces'] as const;

/** The stage's operators, and the failures around it. */
export class Operators {
  readonly #scene: Scene;
  readonly #sqs;

  constructor(scene: Scene) {
    this.#scene = scene;
    this.#sqs = scene.world.startProcess('observer').sqs;
  }

  /** Runs a command of an operator or of the environment. */
  async obey(command: Command): Promise<unknown> {
    const { weather, cloud, world } = this.#scene;
    switch (command.do) {
      case 'sweep':
        return Promise.allSettled(SWEEPERS.map((name) => cloud.invoke(name)));
      case 'reconcile':
        return cloud.invoke('reconcile-rows').catch(() => undefined);
      case 'lose machines':
        return cloud.killAll();
      case 'deploy':
        return cloud.replaceAll();
      case 'redrive':
        return this.#redrive();
      case 'expire rows':
        return world.dynamodb.expireRows();
      case 'forged message':
        return this.#forge(command.at, command.how);
      case 'faults':
        weather.awsRate = command.rate;
        return;
      case 'outage':
        weather.outage = command.of;
        return;
      case 'hot key':
        weather.hotKey = command.of;
        return;
      case 'late messages':
        weather.queueDelay = command.seconds * 1000;
        return;
      case 'wrong clocks':
        weather.skewRate = command.rate;
        return;
      case 'provider':
        weather.provider = command.mood;
        return;
      case 'receiver':
        return weather.receivers.set(command.host, command.mood);
    }
    return undefined;
  }

  async #redrive(): Promise<void> {
    for (const queue of ['Videos-Queue', 'Videos-Copies', 'Webhooks-Queue']) {
      const name = this.#scene.cloud.stage.name(queue).split('/').at(-1);
      const SourceArn = `arn:aws:sqs:us-east-1:000000000000:${name}DeadLetters`;
      await this.#sqs.send(new StartMessageMoveTaskCommand({ SourceArn }));
    }
  }

  /** Sends a message that is not one of ours, or repeats an old one. */
  async #forge(at: number, how: number): Promise<void> {
    const job = chosen([...this.#scene.jobs.all.values()], at);
    const job_id = job?.id ?? 'vid_00000000000000000000000000';
    const bodies = [
      'not JSON',
      '{}',
      JSON.stringify({ v: 9, job_id, seq: 0 }),
      JSON.stringify({ v: 1, job_id, seq: job?.seq ?? 0 }),
      JSON.stringify({ v: 1, job_id, seq: (job?.seq ?? 0) + 5 }),
      JSON.stringify({ v: 1, job_id, seq: job?.seq ?? 0, link: 'forged' }),
      JSON.stringify({ v: 1, event_id: eventIdOf(job_id), attempt: 1 + (how % 3) }),
      JSON.stringify({ v: 1, job_id: 'vid_00000000000000000000000000', seq: 1 }),
    ];
    const queue = chosen(['Videos-Queue', 'Videos-Copies', 'Webhooks-Queue'], at >> 3) ?? '';
    const QueueUrl = this.#scene.cloud.stage.name(queue);
    await this.#sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: chosen(bodies, how) ?? '' }));
  }
}
