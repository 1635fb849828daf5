import * as v from 'valibot';
import { instant, url, uuid } from '../http/answer-schemas.ts';
import { MASK, type StoredDestination } from './destination.ts';

/** A workspace's broadcast as answers show it. */
export const shownDestinationSchema = v.object({
  url: v.nullable(url),
  headers: v.pipe(
    v.record(v.string(), v.string()),
    v.description('The names of the headers that are sent along; no value is ever shown'),
  ),
  enabled: v.pipe(v.boolean(), v.description('The workspace’s `is_observability_broadcast_enabled`')),
  updated_at: v.nullable(instant),
});

export function describeDestination(
  destination: StoredDestination | undefined,
  enabled: boolean,
): v.InferOutput<typeof shownDestinationSchema> {
  const names = destination?.header_names ?? [];
  return {
    url: destination?.url ?? null,
    headers: Object.fromEntries(names.map((name) => [name, MASK])),
    enabled,
    updated_at: destination?.updated_at ?? null,
  };
}

/** The outcome of a test. */
export const shownTestSchema = v.object({
  delivered: v.boolean(),
  outcome: v.pipe(
    v.string(),
    v.description('`2xx` and so on, or what came in the place of an answer: `timed_out`'),
  ),
  status: v.pipe(
    v.nullable(v.number()),
    v.description('That the destination answered; null where it did not'),
  ),
  milliseconds: v.number(),
  request_id: v.pipe(uuid, v.description('The destination got it as `x-request-id`')),
  trace_id: v.pipe(v.string(), v.description('By which the span is found there')),
});
