import * as v from 'valibot';
import type { ErrorType } from './errors.ts';

/** What answers are made of, for the description of the API; what requests may hold is in `validation.ts`. */

export const instant = v.pipe(v.string(), v.isoTimestamp());
export const url = v.pipe(v.string(), v.metadata({ format: 'uri' }));
export const uuid = v.pipe(v.string(), v.uuid());
export const usd = v.pipe(v.number(), v.metadata({ description: 'In USD' }));
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const dataSchema = <const Schema extends v.GenericSchema>(data: Schema) => v.object({ data });
export const deletedSchema = v.object({ deleted: v.literal(true) });

/** A page that begins at an offset. */
export const countedPageSchema = <const Schema extends v.GenericSchema>(item: Schema) =>
  v.object({ data: v.array(item), total_count: count });

/** A page that begins after a cursor: null on the last one. */
export const cursorPageSchema = <const Schema extends v.GenericSchema>(item: Schema) =>
  v.object({ data: v.array(item), has_more: v.boolean(), cursor: v.nullable(v.string()) });

const ERROR_TYPES = [
  'invalid_request',
  'authentication',
  'permission_denied',
  'payment_required',
  'not_found',
  'conflict',
  'gone',
  'payload_too_large',
  'rate_limit_exceeded',
  'server',
  'provider_unavailable',
  'service_unavailable',
] as const satisfies readonly ErrorType[];

/** The body of every error, whatever its status. */
export const errorSchema = v.object({
  error: v.object({
    code: v.pipe(v.number(), v.integer(), v.description('The HTTP status')),
    message: v.pipe(v.string(), v.description('What is wrong, and what would be right')),
    metadata: v.nullish(
      v.looseObject({
        error_type: v.picklist(ERROR_TYPES),
        path: v.optional(v.pipe(v.string(), v.description('The field at fault'))),
        supported: v.optional(v.pipe(v.array(v.unknown()), v.description('What would be supported'))),
      }),
    ),
  }),
  service_metadata: v.nullish(v.looseObject({})),
  user_id: v.nullish(v.string()),
});
