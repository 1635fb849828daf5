import { auditPageSchema, auditQuery } from '../../audit/audit-entry.ts';
import { dataSchema } from '../../http/answer-schemas.ts';
import { managedForAll, routesOf } from '../../http/routes.ts';
import { activityReportSchema } from '../../money/activity-report.ts';
import { analyticsAnswerSchema, analyticsMetaSchema, analyticsQuerySchema } from '../../money/analytics.ts';
import type { Operations } from '../../openapi/operation.ts';
import { activityQuery } from './activity-query.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'list-activity': managedForAll('GET', '/activity', 'read'),
  'get-analytics-meta': managedForAll('GET', '/analytics/meta', 'read'),
  // It only reads, though its question is a body.
  'query-analytics': { ...managedForAll('POST', '/analytics/query', 'read'), limit: 'read', recorded: false },
  'list-audit': managedForAll('GET', '/audit', 'read'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () =>
  ({
    'list-activity': {
      tag: 'Reports',
      summary: 'Get activity',
      description:
        'Returns the number and the cost of jobs in the last 30 days, or on one day. Each job counts towards the UTC day on which it ends.',
      query: activityQuery,
      answers: {
        200: {
          says: 'One row for each combination of day, `model`, `endpoint_id` and, with `group_by`, group.',
          body: activityReportSchema,
        },
      },
    },
    'get-analytics-meta': {
      tag: 'Reports',
      summary: 'List metrics and dimensions',
      description: 'Returns the metrics, dimensions, granularities and operators of `POST /analytics/query`.',
      answers: {
        200: {
          says: 'The metrics, dimensions, granularities and operators.',
          body: dataSchema(analyticsMetaSchema),
        },
      },
    },
    'query-analytics': {
      tag: 'Reports',
      summary: 'Query analytics',
      description:
        'Returns metrics of the jobs that ended in a range of days, grouped by dimensions and time. Queries that use `user` count only jobs with a `user`.',
      body: analyticsQuerySchema,
      answers: {
        200: { says: 'The rows and the metadata of the query.', body: dataSchema(analyticsAnswerSchema) },
      },
    },
    'list-audit': {
      tag: 'Reports',
      summary: 'List audit events',
      description:
        'Returns audit events, newest first. Genway records sign-ins with a management key or through the identity provider, and requests that use a management key to change, test or reveal something, to read the content of files, videos or logs, or to get links to videos. Some refused requests, such as those with an invalid key, are not recorded. Genway keeps events for 400 days. With `action`, a page may be empty even if `has_more` is true.',
      query: auditQuery,
      answers: { 200: { says: 'A page of audit events.', body: auditPageSchema } },
    },
  }) as const satisfies Operations<typeof routes>;
