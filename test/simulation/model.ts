import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { JOB_STATUSES } from '../../functions/videos/jobs/job.ts';
import type { Answer } from './callers.ts';
import type { Command } from './history.ts';
import type { Violate } from './scene.ts';
import { RANK } from './watched-jobs.ts';

/** A submit, as its caller knows it. */
export interface Order {
  readonly tenant: number;
  readonly body: {
    readonly model: string;
    readonly prompt: string;
    readonly metadata: { readonly order: string };
  };
  readonly idempotencyKey: string | undefined;
}

/** A job that its caller knows. */
export interface KnownJob {
  readonly id: string;
  readonly tenant: number;
  /** The last state that the caller saw. */
  seen: JobView;
  deletion: 'none' | 'unknown' | 'done';
}

const viewSchema = v.looseObject({
  id: v.string(),
  status: v.picklist(JOB_STATUSES),
  progress: v.optional(v.number()),
});
type JobView = v.InferOutput<typeof viewSchema>;

/** Fields that never change after the end. The others may: links are signed again, and videos expire. */
const LASTING = ['id', 'status', 'error', 'usage', 'model', 'completed_at', 'metadata', 'generation_id'];

/**
 * Genway as its callers see it: for each submit, what they have seen of its job. It knows no rows, messages or
 * machines.
 */
export class Model {
  readonly orders: Order[] = [];
  readonly jobs: KnownJob[] = [];
  readonly #violate: Violate;
  readonly #jobOfOrder = new Map<Order, string>();

  constructor(violate: Violate) {
    this.#violate = violate;
  }

  /** @param word that nobody else writes */
  order(
    tenant: number,
    word: string,
    { model, idempotent: isIdempotent, host }: Omit<Extract<Command, { do: 'submit' }>, 'do' | 'tenant'>,
  ): Order {
    const name = String(this.orders.length);
    const body = {
      model,
      prompt: `Order ${name} of ${word}`,
      metadata: { order: name, by: word },
      ...(host === undefined ? {} : { callback_url: `https://${host}/${word}` }),
    };
    const order = { tenant, body, idempotencyKey: isIdempotent ? `order-${name}` : undefined };
    this.orders.push(order);
    return order;
  }

  /** I1, I9: an accepted job exists from now on, and repeated requests do not create another one. */
  submitted(order: Order, { status, body }: Answer): void {
    if (status !== 202) return;
    const view = v.parse(viewSchema, body);
    const earlier = this.#jobOfOrder.get(order);
    if (order.idempotencyKey !== undefined && earlier !== undefined && earlier !== view.id) {
      this.#violate('I9', `one order became ${earlier} and ${view.id}`);
    }
    this.#jobOfOrder.set(order, view.id);
    if (this.jobs.some(({ id }) => id === view.id)) return;
    this.jobs.push({ id: view.id, tenant: order.tenant, seen: view, deletion: 'none' });
  }

  /** I7, I10: no tenant sees an earlier state again, or another tenant's job. */
  seen(
    job: KnownJob,
    asker: number,
    asked: { readonly wasDeleted: boolean; readonly before: JobView },
    { status, body }: Answer,
  ): void {
    if (asker !== job.tenant) {
      if (status === 200) this.#violate('I10', `tenant ${asker} sees ${job.id} of ${job.tenant}`);
      return;
    }
    if (status === 404 && job.deletion === 'none')
      this.#violate('I1', `${job.id} was accepted and is not found`);
    if (status !== 200) return;
    if (asked.wasDeleted) this.#violate('I7', `${job.id} is found after its deletion`);
    const view = v.parse(viewSchema, body);
    this.#expectForward(asked.before, view);
    if (RANK[view.status] >= RANK[job.seen.status]) job.seen = view;
  }

  /** @param before the state that was known when the request was sent, because answers may overtake each other */
  #expectForward(before: JobView, view: JobView): void {
    const [was, is] = [RANK[before.status], RANK[view.status]];
    if (is < was) this.#violate('I7', `${view.id} was ${before.status} and is ${view.status}`);
    if (was < 2) return;
    for (const name of LASTING) {
      if (!isDeepStrictEqual(before[name], view[name])) {
        this.#violate(
          'I3',
          `${view.id} had ${name} ${JSON.stringify(before[name])}, and has ${JSON.stringify(view[name])}`,
        );
      }
    }
  }

  listed(asker: number, { status, body }: Answer): void {
    if (status !== 200) return;
    for (const { id } of v.parse(v.object({ data: v.array(viewSchema) }), body).data) {
      const job = this.jobs.find((each) => each.id === id);
      if (job !== undefined && job.tenant !== asker)
        this.#violate('I10', `tenant ${asker} is shown ${id} of ${job.tenant}`);
    }
  }

  /** I9, from the rows: how many jobs one submit has created. */
  counted(orderName: string, jobs: number): void {
    const order = this.orders[Number(orderName)];
    if (order?.idempotencyKey !== undefined && jobs > 1)
      this.#violate('I9', `order ${orderName} became ${jobs} jobs`);
  }
}
