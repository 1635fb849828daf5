import { describe, expect, jest, test } from '@jest/globals';
import { deliverEvent } from '../../../functions/webhooks/delivery/deliver-event.ts';
import { LaneStore, laneLimits } from '../../../functions/webhooks/delivery/lane-store.ts';
import { newEvent, type WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import type { EventMessage } from '../../../functions/webhooks/events/event-queue.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { type EventPorts, StageProcess } from '../../deployed/stage-process.ts';
import { AwsWorld } from '../../engines/index.ts';
import { START } from '../events/event-fixture.ts';

/** The time that a receiver has for its answer. */
const HANG = 15_000;

/**
 * Deliverers that run at the same time. The queue is as bad as possible: first in, first out, with batches of one, so
 * that each hanging event occupies a deliverer.
 */
class DeliveryFleet {
  readonly #functions: number;
  readonly #aws = new AwsWorld({ start: START, latency: () => 0 });
  readonly #clock = this.#aws.clock;
  readonly #stage = new DeployedStage(this.#aws);
  readonly #process = new StageProcess(this.#aws, this.#stage);
  readonly #ports: EventPorts;
  readonly #messages: { message: EventMessage; dueAt: number }[] = [];
  /** The time of the first request to each URL, in seconds since the start. */
  readonly firstAsked = new Map<string, number>();
  /** Called when a deliverer finds no free place for its event. */
  readonly postpone = jest.spyOn(this.#process.events, 'postpone');

  /** @param functions how many may run at the same time */
  constructor(functions: number) {
    this.#functions = functions;
    const { dynamo } = this.#process.aws;
    this.#ports = this.#process.eventPorts((url) => this.#post(url), {
      lanes: new LaneStore(dynamo, this.#stage.name('Webhooks-Hosts'), laneLimits(functions)),
      queue: { send: async (message, _, seconds) => this.#send(message, seconds) },
      random: () => 0.5,
    });
  }

  async add(event: WebhookEvent): Promise<void> {
    await this.#process.events.create(event);
    this.#send({ v: 1, event_id: event.id, attempt: 1 }, 0);
  }

  async run(seconds: number): Promise<void> {
    const end = this.#now() + seconds * 1000;
    const work = async () => {
      while (this.#now() < end) await (this.#deliverNext() ?? this.#clock.wait(1_000));
    };
    await Promise.all(Array.from({ length: this.#functions }, work));
  }

  /** Undefined if no message is due. */
  #deliverNext(): Promise<void> | undefined {
    const due = this.#messages.findIndex(({ dueAt }) => dueAt <= this.#now());
    const [received] = due < 0 ? [] : this.#messages.splice(due, 1);
    return received === undefined ? undefined : deliverEvent(received.message, this.#ports);
  }

  async #post(url: string): ReturnType<EventPorts['post']> {
    if (!this.firstAsked.has(url)) this.firstAsked.set(url, (this.#now() - START.getTime()) / 1000);
    const hangs = url.includes('hang');
    await this.#clock.wait(hangs ? HANG : 100);
    return hangs ? { failure: 'timed_out' } : { status: 204, aborts: false };
  }

  #send(message: EventMessage, delaySeconds: number): void {
    this.#messages.push({ message, dueAt: this.#now() + delaySeconds * 1000 });
  }

  #now = (): number => this.#clock.now().getTime();
}

let made = 0;

function eventFor(workspace: string, url: string): WebhookEvent {
  const id = `msg_${String(made++).padStart(26, '0')}`;
  const content = { id, workspace_id: workspace, type: 'webhook.test', body: '{}', callback_url: url };
  return newEvent(content, START);
}

describe.each([10, 50])('of %i deliverers', (functions) => {
  test('a workspace with twelve hosts that hang leaves enough for others', async () => {
    const fleet = new DeliveryFleet(functions);
    for (let i = 0; i < 60; i++) await fleet.add(eventFor('hanging', `https://hang-${i % 12}.example/`));
    await fleet.add(eventFor('other', 'https://other.example/'));
    await fleet.run(120);
    expect(fleet.firstAsked.get('https://other.example/')).toBeLessThanOrEqual(5);
  });

  test('two workspaces with three hosts each that hang leave enough for others', async () => {
    const fleet = new DeliveryFleet(functions);
    for (let i = 0; i < 120; i++)
      await fleet.add(eventFor(`hanging-${i % 2}`, `https://hang-${i % 6}.example/`));
    await fleet.add(eventFor('other', 'https://other.example/'));
    await fleet.run(120);
    expect(fleet.firstAsked.get('https://other.example/')).toBeLessThanOrEqual(5);
  });

  test('a hanging path does not delay another workspace’s path on the same host', async () => {
    const fleet = new DeliveryFleet(functions);
    for (let i = 0; i < 40; i++) await fleet.add(eventFor('hanging', 'https://shared.example/hang'));
    await fleet.add(eventFor('other', 'https://shared.example/other'));
    await fleet.run(120);
    expect(fleet.firstAsked.get('https://shared.example/other')).toBeLessThanOrEqual(5);
  });

  test('an event that waits for a slot asks for it less and less often', async () => {
    const fleet = new DeliveryFleet(functions);
    for (let i = 0; i < 100; i++) await fleet.add(eventFor('slow', `https://hang.example/${i}`));
    await fleet.run(300);
    // If each event looked every 6 s, there would be 50 looks for each.
    expect(fleet.postpone.mock.calls.length).toBeLessThan(100 * 15);
  });
});
