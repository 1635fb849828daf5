import * as v from 'valibot';
import { describedTimestamp, PUBLIC_URL, pageCursor, pageSize } from '../http/validation.ts';
import { EVENT_STATUSES, PLACE } from './events/event.ts';

export const webhookChangeSchema = v.object({
  default_callback_url: v.pipe(
    v.nullable(v.string('must be an https URL, or null')),
    v.metadata({ format: 'uri' }),
    v.description(`URL that receives events for jobs without a \`callback_url\`. ${PUBLIC_URL}. Null: none`),
  ),
});

const OVERLAP_RULE = 'must be a number from 0 to 72';

export const secretRotationSchema = v.object({
  overlap_hours: v.optional(
    v.pipe(
      v.number(OVERLAP_RULE),
      v.minValue(0, OVERLAP_RULE),
      v.maxValue(72, OVERLAP_RULE),
      v.description('Hours for which the previous secret also signs'),
    ),
    24,
  ),
});

export const webhookTestSchema = v.object({
  url: v.exactOptional(
    v.pipe(
      v.string('must be an https URL'),
      v.metadata({ format: 'uri' }),
      v.description(
        `URL to send the event to. ${PUBLIC_URL}. Defaults to the default callback URL of the workspace. Required if that URL is missing or disabled`,
      ),
    ),
  ),
});

export const recoverySchema = v.object({
  since: describedTimestamp('Only events created at or after this time'),
  cursor: v.nullish(
    v.pipe(
      v.string(),
      v.regex(PLACE, 'must be the cursor of the previous response'),
      v.description('`cursor` of the previous response, if its `has_more` was true'),
    ),
  ),
});

/** The query of `GET /workspaces/{id}/webhook-deliveries`. */
export const deliveryListQuery = {
  status: v.exactOptional(
    v.pipe(
      v.picklist(EVENT_STATUSES),
      v.description(
        'Only events with this status. `no_address`: the event had no callback URL, and the default callback URL was missing or disabled',
      ),
    ),
  ),
  job_id: v.exactOptional(v.pipe(v.string(), v.description('Only the event of the job with this ID'))),
  limit: v.optional(pageSize(100), '20'),
  cursor: pageCursor(PLACE),
};
