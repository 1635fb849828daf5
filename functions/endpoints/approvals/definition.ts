import * as v from 'valibot';
import { APPROVAL_ID, shownApprovalSchema } from '../../approvals/shown-approval.ts';
import { cursorPageSchema, dataSchema } from '../../http/answer-schemas.ts';
import { managed, routesOf } from '../../http/routes.ts';
import { pageCursor, pageSize } from '../../http/validation.ts';
import type { Operations } from '../../openapi/operation.ts';

export { default as examples } from './examples.json' with { type: 'json' };

/** Whoever decides needs what the change itself needs, which only the change tells. */
export const routes = routesOf({
  'list-approvals': managed('GET', '/approvals', 'read'),
  'approve-change': managed('POST', '/approvals/{approval}/approve', 'read'),
  'refuse-change': managed('POST', '/approvals/{approval}/refuse', 'read'),
});

export const approvalsQuery = {
  limit: v.optional(pageSize(20), '20'),
  cursor: pageCursor(APPROVAL_ID),
};

/** A function, so that bundles of handlers leave it out. */
export const operations = () => {
  const approval = { says: 'The approval.', body: dataSchema(shownApprovalSchema) };
  return {
    'list-approvals': {
      tag: 'Approvals',
      summary: 'List approvals',
      description:
        'Returns the approvals that the caller may see and that were requested in the last 24 hours, pending or decided, newest first. A page may have fewer items than `limit` even if `has_more` is true.',
      query: approvalsQuery,
      answers: { 200: { says: 'A page of approvals.', body: cursorPageSchema(shownApprovalSchema) } },
    },
    'approve-change': {
      tag: 'Approvals',
      summary: 'Approve a change',
      description:
        'Approves the change, which then takes effect. The approving key needs the operation group `read`. To approve a new key, it also needs `keys`, all operation groups of that key, and access to all workspaces of that key. To approve a change to an endpoint, it also needs `catalogue` and access to all workspaces. The approving key and the key that requested the change must belong to different lines. A line is a key that no other key created, with its descendants and replacements.',
      answers: { 200: approval },
      refuses: [400, 404, 409],
    },
    'refuse-change': {
      tag: 'Approvals',
      summary: 'Refuse a change',
      description:
        'Refuses the change, which then does not take effect. The key that requested it can withdraw its own request in this way.',
      answers: { 200: approval },
      refuses: [404, 409],
    },
  } as const satisfies Operations<typeof routes>;
};
