import * as v from 'valibot';
import { AuditTrail } from '../../audit/audit-trail.ts';
import { dynamo } from '../../aws/dynamo.ts';
import { tellUnreadable } from '../../aws/tell-unreadable.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { timestamp } from '../../http/timestamp.ts';
import { wholeNumber } from '../../http/validation.ts';

const DEFAULT_MILLISECONDS = 30 * 86_400_000;

const trail = new AuditTrail(dynamo, setting('auditTable'));

export const handler = routeHandler('list-audit', async (call) => {
  const { since, limit, cursor } = query(call, {
    since: v.exactOptional(timestamp),
    limit: v.optional(wholeNumber(1, 100), '50'),
    cursor: v.exactOptional(
      v.pipe(
        v.string(),
        v.regex(/^\d{4}-[\dT:.-]{19}Z~[!-~]{1,128}$/, 'must be the cursor of the page before'),
      ),
    ),
  });
  const from =
    since === undefined ? new Date(systemClock().getTime() - DEFAULT_MILLISECONDS) : new Date(since);
  const page = await trail.list({ since: from, before: cursor, limit }, tellUnreadable);
  return json(200, { data: page.entries, has_more: page.cursor !== null, cursor: page.cursor });
});
