import { dynamo } from '../../aws/dynamo.ts';
import { tellUnreadable } from '../../aws/tell-unreadable.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { routeHandler } from '../../gate/route-handler.ts';
import { query } from '../../http/query.ts';
import { json } from '../../http/response.ts';
import { reportActivity } from '../../money/activity.ts';
import { ActivityList, latestDays } from '../../money/activity-list.ts';
import { activityQuery } from '../../money/activity-report.ts';

const activity = new ActivityList(dynamo, setting('accountsTable'), tellUnreadable);

export const handler = routeHandler('list-activity', async (call) => {
  const { date, group_by: group } = query(call, activityQuery);
  const days = date === undefined ? latestDays(systemClock()) : [date];
  const rows = await activity.of(days);
  return json(200, { data: reportActivity(rows, group) });
});
