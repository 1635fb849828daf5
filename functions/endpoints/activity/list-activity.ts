import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { tellUnreadable } from '../../aws/tell-unreadable.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { type GROUPS, type Group, reportActivity } from '../../money/activity.ts';
import { latestDays, listActivity } from '../../money/activity-list.ts';

const table = setting('accountsTable');

const GROUP_NAMES: readonly Group[] = [
  'workspace',
  'key',
  'model',
  'provider',
] satisfies (keyof typeof GROUPS)[];
const DATE_RULE = 'must be a date in UTC, such as 2030-01-31';

export const handler = routeHandler('list-activity', async (call) => {
  const { date, group_by: group } = query(call, {
    date: v.exactOptional(v.pipe(v.string(), v.isoDate(DATE_RULE))),
    group_by: v.exactOptional(v.picklist(GROUP_NAMES, `must be one of ${GROUP_NAMES.join(', ')}`)),
  });
  const days = date === undefined ? latestDays(systemClock()) : [date];
  const rows = await listActivity(dynamo, table, days, tellUnreadable);
  return json(200, { data: reportActivity(rows, group) });
});
