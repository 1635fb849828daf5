import * as v from 'valibot';
import type { RouteId } from '../../functions/endpoints/definitions.ts';

/** One request and its answer, as the client saw them. */
export interface Exchange {
  readonly tenant: string;
  readonly route: RouteId;
  /** The id of the job or file in the request. */
  readonly id?: string;
  readonly idempotencyKey?: string;
  /** In milliseconds since 1970, by the clock that all clients of a history share. */
  readonly begun: number;
  readonly ended: number;
  /** Undefined if no answer came, so that nobody knows the outcome. */
  readonly status: number | undefined;
  readonly body: unknown;
}

/** What creates jobs or files. */
export const MAKERS: readonly RouteId[] = ['submit-video', 'upload-file'];

const jobSchema = v.looseObject({
  id: v.string(),
  status: v.picklist(['pending', 'in_progress', 'completed', 'failed', 'cancelled', 'expired']),
});
export type SeenJob = v.InferOutput<typeof jobSchema>;

const thingSchema = v.looseObject({ id: v.string(), expires_at: v.optional(v.string()) });
const pageSchema = v.object({ data: v.array(thingSchema), has_more: v.optional(v.boolean(), false) });
export type Seen = v.InferOutput<typeof thingSchema>;

/** The jobs or files that an answer shows. */
export function seenIn(exchange: Exchange): readonly Seen[] {
  if (!isDone(exchange)) return [];
  const page = v.safeParse(pageSchema, exchange.body);
  return page.success
    ? page.output.data
    : [exchange.body].flatMap((each) => (v.is(thingSchema, each) ? [each] : []));
}

/** Whether an answer shows all that there are. */
export const isWhole = ({ body }: Exchange): boolean => v.is(pageSchema, body) && body.has_more !== true;

export const jobsIn = (exchange: Exchange): readonly SeenJob[] =>
  seenIn(exchange).flatMap((each) => (v.is(jobSchema, each) ? [each] : []));

export const isDone = ({ status }: Exchange): boolean => status !== undefined && status < 400;

/** Whether one exchange ended before the other began. If they overlap, their order is unknown. */
export const isBefore = (one: Exchange, other: Exchange): boolean => one.ended < other.begun;
