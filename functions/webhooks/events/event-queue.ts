import * as v from 'valibot';
import type { FairQueue } from '../../aws/fair-queue.ts';

export const eventMessageSchema = v.object({
  v: v.literal(1),
  event_id: v.string(),
  /** The number of the attempt to make, over all chains; an attempt that was made already is not made again. */
  attempt: v.pipe(v.number(), v.integer(), v.minValue(1)),
});
export type EventMessage = v.InferOutput<typeof eventMessageSchema>;

export type EventQueue = FairQueue<EventMessage>;
