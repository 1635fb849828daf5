import * as v from 'valibot';
import { ERROR_TYPES } from './errors.ts';

/** The parts that answers are made of, for the description of the API. Those of requests are in `validation.ts`. */

export const instant = v.pipe(v.string(), v.isoTimestamp());
export const url = v.pipe(v.string(), v.metadata({ format: 'uri' }));
export const uuid = v.pipe(v.string(), v.uuid());
export const usd = v.number();
export const count = v.pipe(v.number(), v.integer(), v.minValue(0));

export const dataSchema = <const Schema extends v.GenericSchema>(data: Schema) => v.object({ data });
export const deletedSchema = v.object({ deleted: v.literal(true) });

/** A page that begins at an offset. */
export const countedPageSchema = <const Schema extends v.GenericSchema>(item: Schema) =>
  v.object({ data: v.array(item), total_count: count });

/** A page that begins after a cursor: null on the last one. */
export const cursorPageSchema = <const Schema extends v.GenericSchema>(item: Schema) =>
  v.object({ data: v.array(item), has_more: v.boolean(), cursor: v.nullable(v.string()) });

/** The metadata of a 402: which limit has no room, and when it will have some. */
const shortfall = {
  scope: v.optional(
    v.pipe(
      v.picklist(['key', 'workspace', 'guardrail', 'credits']),
      v.description(
        'In a 402: where the exceeded limit is set. `credits`: the maximum cost exceeds the remaining credits of the deployment',
      ),
    ),
  ),
  interval: v.optional(v.picklist(['daily', 'weekly', 'monthly', 'lifetime'])),
  estimate_usd: v.optional(usd),
  remaining_usd: v.optional(usd),
  limit_usd: v.optional(usd),
  resets_at: v.optional(
    v.pipe(instant, v.description('In a 402: when the exceeded limit resets. Absent if it never resets')),
  ),
};

/** The body of every error, whatever its status. */
export const errorSchema = v.object({
  error: v.object({
    code: v.pipe(v.number(), v.integer(), v.description('The HTTP status')),
    message: v.pipe(v.string(), v.description('What is wrong, and often how to correct it')),
    type: v.optional(
      v.pipe(
        v.string(),
        v.description(
          'The kind of error, as OpenAI’s API names it. Sent only to OpenAI’s clients and LiteLLM',
        ),
      ),
    ),
    param: v.optional(
      v.pipe(
        v.nullable(v.string()),
        v.description(
          'The same as `metadata.path`. Null if there is none. Sent only to OpenAI’s clients and LiteLLM',
        ),
      ),
    ),
    metadata: v.nullish(
      v.object({
        error_type: v.picklist(ERROR_TYPES),
        docs_url: v.optional(v.pipe(v.string(), v.description('Path of the documentation of `error_type`'))),
        path: v.optional(
          v.pipe(
            v.string(),
            v.description(
              'The field, parameter or header that caused the error, such as `frame_images.0.frame_type`',
            ),
          ),
        ),
        supported: v.optional(
          v.pipe(
            v.array(v.unknown()),
            v.description(
              'Accepted values or names, such as those of models, endpoints or providers that the request may use',
            ),
          ),
        ),
        found: v.optional(
          v.pipe(
            v.string(),
            v.description(
              'What Genway found in a refused file: a media type, or words such as `unknown binary data`',
            ),
          ),
        ),
        provider_status: v.optional(
          v.pipe(v.number(), v.description('HTTP status that the provider returned')),
        ),
        reason: v.optional(
          v.pipe(
            v.literal('cannot_cancel'),
            v.description(
              '`cannot_cancel`: the provider cannot cancel the job, or can no longer cancel it. The job continues',
            ),
          ),
        ),
        successor: v.optional(
          v.pipe(
            v.string(),
            v.description('In a `model_retired` error: the successor of the model. Absent if none is known'),
          ),
        ),
        guardrail_id: v.optional(
          v.pipe(uuid, v.description('In a 404: ID of the guardrail that refused the request')),
        ),
        rule: v.optional(
          v.pipe(
            v.string(),
            v.description('In a 404: the rule that refused the request, such as `allowed_models`'),
          ),
        ),
        ...shortfall,
      }),
    ),
  }),
  service_metadata: v.nullish(v.record(v.string(), v.unknown())),
  user_id: v.nullish(v.string()),
});
