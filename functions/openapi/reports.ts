import { auditPageSchema, auditQuery } from '../audit/audit-list.ts';
import { activityQuery, activityReportSchema } from '../money/activity-report.ts';
import type { Operation } from './operation.ts';

export const reportOperations = {
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
    description: 'What was asked for with management keys, newest first; kept for 400 days.',
    query: auditQuery,
    answers: { 200: { says: 'A page of entries.', body: auditPageSchema } },
  },
} as const satisfies Record<string, Operation>;
