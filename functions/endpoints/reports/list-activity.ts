import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { setting } from '../../environment.ts';
import { query } from '../../http/call.ts';
import { json } from '../../http/response.ts';
import { dayOfUsers, reportActivity } from '../../money/activity.ts';
import { ActivityList } from '../../money/activity-list.ts';
import { activityQuery, latestDays } from '../../money/activity-report.ts';
import { tellUnreadable } from '../../telemetry/tell-unreadable.ts';
import { routes } from './definition.ts';

const activity = new ActivityList(dynamo, setting('accountsTable'), tellUnreadable);

export const handler = routeHandler(routes['list-activity'], async (call) => {
  const { date, group_by: group } = query(call, activityQuery);
  const days = date === undefined ? latestDays(systemClock()) : [date];
  const rows = await activity.of(group === 'user' ? days.map(dayOfUsers) : days);
  return json(200, { data: reportActivity(rows, group) });
});
