import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { setting } from '../../environment.ts';
import { query } from '../../http/call.ts';
import { dayOfUsers } from '../../money/activity.ts';
import { ActivityList, reportAnswer } from '../../money/activity-list.ts';
import { latestDays, reportActivity } from '../../money/activity-report.ts';
import { tellUnreadable } from '../../telemetry/metrics.ts';
import { activityQuery, isAskedFor, isOfUsers } from './activity-query.ts';
import { routes } from './definition.ts';

const activity = new ActivityList(dynamo, setting('accountsTable'), tellUnreadable);

export const handler = routeHandler(routes['list-activity'], async (call) => {
  const asked = query(call, activityQuery);
  const days = asked.date === undefined ? latestDays(systemClock()) : [asked.date];
  const rows = await activity.of(isOfUsers(asked) ? days.map(dayOfUsers) : days);
  const chosen = rows.filter((row) => isAskedFor(row, asked));
  return reportAnswer(reportActivity(chosen, asked.group_by));
});
