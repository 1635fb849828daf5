import * as v from 'valibot';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import type { Delivery } from './receivers.ts';
import type { Violate } from './watched-rows.ts';

const deliverySchema = v.object({ type: v.string(), data: v.object({ id: v.string() }) });

/**
 * I5: an event is sent after the job's end is stored, with the same body each time, signed for its own workspace only.
 */
export class ToldEvents {
  readonly #jobs: ReadonlyMap<string, Job>;
  readonly #violate: Violate;
  readonly #bodies = new Map<string, string>();

  constructor(jobs: ReadonlyMap<string, Job>, violate: Violate) {
    this.#jobs = jobs;
    this.#violate = violate;
  }

  judge({ id, body, signedWith, host }: Delivery): void {
    const { type, data } = v.parse(deliverySchema, JSON.parse(body));
    const job = this.#jobs.get(data.id);
    if (job === undefined || id !== eventIdOf(data.id)) {
      this.#violate('I5', `${id} reports ${data.id}, which does not exist`);
      return;
    }
    if (job.phase !== 'settled' || type !== `video.generation.${job.status}`)
      this.#violate('I5', `${id} reports ${type} for ${job.id}, which is ${job.status}`);
    if ((this.#bodies.get(id) ?? body) !== body)
      this.#violate('I5', `${id} reports something else than before`);
    this.#bodies.set(id, body);
    if (signedWith.length === 0 || signedWith.some((workspace) => workspace !== job.workspace_id))
      this.#violate('I5', `${id} to ${host} is signed by ${signedWith}`);
  }
}
