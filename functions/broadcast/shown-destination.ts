import * as v from 'valibot';
import { instant, url, uuid } from '../http/answer-schemas.ts';
import { MASK, type StoredDestination } from './destination.ts';

/** A workspace's broadcast as answers show it. */
export const shownDestinationSchema = v.object({
  url: v.nullable(url),
  headers: v.pipe(
    v.record(v.string(), v.string()),
    v.description('Names of the headers. Values are never shown'),
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
  outcome: v.pipe(v.string(), v.description('Status class such as `2xx`, or a failure such as `timed_out`')),
  status: v.pipe(
    v.nullable(v.number()),
    v.description('HTTP status of the destination. Null if it did not answer'),
  ),
  milliseconds: v.number(),
  request_id: v.pipe(uuid, v.description('Sent to the destination as `x-request-id`')),
  trace_id: v.pipe(v.string(), v.description('Trace ID of the span')),
});
