import { auditPageSchema, auditQuery } from '../../audit/audit-list.ts';
import { managedForAll, routesOf } from '../../http/routes.ts';
import { activityQuery, activityReportSchema } from '../../money/activity-report.ts';
import type { Operations } from '../../openapi/operation.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'list-activity': managedForAll('GET', '/activity', 'read'),
  'list-audit': managedForAll('GET', '/audit', 'read'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () =>
  ({
    'list-activity': {
      tag: 'Reports',
      summary: 'Read what jobs were and cost',
      description: 'Of the last thirty days, or of one. A job counts on the day on which it ends.',
      query: activityQuery,
      answers: { 200: { says: 'A line a day, and a group where one is named.', body: activityReportSchema } },
    },
    'list-audit': {
      tag: 'Reports',
      summary: 'Read who changed what',
      description:
        'What was changed with management keys, and which files, videos and private logs were read with them; newest first, kept for 400 days.',
      query: auditQuery,
      answers: { 200: { says: 'A page of entries.', body: auditPageSchema } },
    },
  }) as const satisfies Operations<typeof routes>;
