import * as v from 'valibot';
import { timestamp } from '../http/timestamp.ts';
import { wholeNumber } from '../http/validation.ts';
import { EVENT_STATUSES } from './events/event.ts';
import { PLACE } from './events/event-list.ts';

export const webhookChangeSchema = v.object({
  default_callback_url: v.nullable(v.string('must be an https URL, or null')),
});

const OVERLAP_RULE = 'must be from 0 to 72';

export const secretRotationSchema = v.object({
  overlap_hours: v.optional(
    v.pipe(v.number(OVERLAP_RULE), v.minValue(0, OVERLAP_RULE), v.maxValue(72, OVERLAP_RULE)),
    24,
  ),
});

export const webhookTestSchema = v.object({ url: v.exactOptional(v.string('must be an https URL')) });

export const recoverySchema = v.object({
  since: timestamp,
  cursor: v.nullish(v.pipe(v.string(), v.regex(PLACE, 'must be the cursor of the call before'))),
});

/** The query of `GET /workspaces/{id}/webhook-deliveries`. */
export const deliveryListQuery = {
  status: v.exactOptional(v.picklist(EVENT_STATUSES, `must be one of ${EVENT_STATUSES.join(', ')}`)),
  job_id: v.exactOptional(v.string()),
  limit: v.optional(wholeNumber(1, 100), '20'),
  cursor: v.exactOptional(v.pipe(v.string(), v.regex(PLACE, 'must be the cursor of the page before'))),
};
