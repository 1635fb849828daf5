import { stepOrLeave } from '../../../functions/sweeping/swept-rows.ts';
import { deliverEvent } from '../../../functions/webhooks/delivery/deliver-event.ts';
import type { WebhookEvent } from '../../../functions/webhooks/events/event.ts';
import type { EventMessage } from '../../../functions/webhooks/events/event-queue.ts';
import { EventQuarantine } from '../../../functions/webhooks/events/sweep-event.ts';
import { DeployedStage } from '../../deployed/deployed-stage.ts';
import { type EventPorts, StageProcess } from '../../deployed/stage-process.ts';
import { AwsWorld } from '../../engines/index.ts';
import { START } from './event-fixture.ts';

const MINUTE = 60_000;

/** The deliverer and its sweeper with the stage's tables and queue. They run minute by minute. */
export class SweptEvents {
  readonly world = new AwsWorld({ start: START });
  readonly #process = new StageProcess(this.world, new DeployedStage(this.world));
  readonly table = this.#process.tables.events;
  readonly events = this.#process.events;
  readonly quarantine = new EventQuarantine(this.#process.aws.dynamo, this.table);
  /** The ids of events whose request was sent. */
  readonly sent: string[] = [];
  /** The ids of events whose message reached a worker. */
  readonly received: string[] = [];
  quarantined = 0;
  hasDeliverers = true;
  /** Runs after a worker got its message and before it sends the request. */
  beforeRequest = async (): Promise<void> => undefined;
  readonly ports: EventPorts = this.#process.eventPorts(
    async (_, { id }) => {
      this.sent.push(id);
      return { status: 200, aborts: false };
    },
    {
      countQuarantined: () => void this.quarantined++,
      secrets: {
        active: async () => {
          await this.beforeRequest();
          return [new Uint8Array(32)];
        },
      },
    },
  );

  /** Adds an event with its message. Then changes fields; `undefined` removes one. */
  async add(event: WebhookEvent, change: Record<string, unknown> = {}): Promise<void> {
    await this.#process.add(event);
    await this.change(event.id, change);
  }

  change = (id: string, change: Record<string, unknown>): Promise<void> =>
    this.#process.change(this.table, { id }, change);

  row = (id: string): Promise<Record<string, unknown>> => this.#process.row(this.table, { id });

  async run(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute++) {
      if (this.hasDeliverers) await this.#deliverAll();
      await this.world.clock.wait(MINUTE);
      await this.#process.sweepEvents(this.ports);
    }
  }

  async #deliverAll(): Promise<void> {
    const { events } = this.#process.queues;
    for (;;) {
      const messages = await this.#process.receive(events);
      if (messages.length === 0) return;
      for (const each of messages) {
        const message: EventMessage = JSON.parse(each.Body ?? '');
        this.received.push(message.event_id);
        await stepOrLeave(message.event_id, () => deliverEvent(message, this.ports), this.ports);
        await this.#process.delete(events, each);
      }
    }
  }
}
