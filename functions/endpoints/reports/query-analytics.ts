import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { setting } from '../../environment.ts';
import { jsonBody } from '../../http/call.ts';
import { dayOfUsers } from '../../money/activity.ts';
import { ActivityList, reportAnswer } from '../../money/activity-list.ts';
import { analyse, analyticsQuerySchema, daysOf, isAboutUsers } from '../../money/analytics.ts';
import { tellUnreadable } from '../../telemetry/metrics.ts';
import { routes } from './definition.ts';

const activity = new ActivityList(dynamo, setting('accountsTable'), tellUnreadable);

export const handler = routeHandler(routes['query-analytics'], async (call) => {
  const begun = systemClock();
  const asked = jsonBody(call, analyticsQuerySchema);
  const days = daysOf(asked, begun);
  const rows = await activity.of(isAboutUsers(asked) ? days.map(dayOfUsers) : days);
  const { data, isCut: truncated } = analyse(rows, asked);
  const query_time_ms = systemClock().getTime() - begun.getTime();
  return reportAnswer({ data, metadata: { query_time_ms, row_count: data.length, truncated } });
});
