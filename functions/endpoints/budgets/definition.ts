import { deletedSchema } from '../../http/answer-schemas.ts';
import { managed, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';
import { budgetAnswerSchema, budgetListSchema, budgetSchema } from '../../workspaces/budget.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'list-budgets': managed('GET', '/workspaces/{workspace}/budgets', 'read'),
  'get-budget': managed('GET', '/workspaces/{workspace}/budgets/{interval}', 'read'),
  'put-budget': managed('PUT', '/workspaces/{workspace}/budgets/{interval}', 'money'),
  'delete-budget': managed('DELETE', '/workspaces/{workspace}/budgets/{interval}', 'money'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () => {
  const budget = { says: 'The budget.', body: budgetAnswerSchema };
  const deleted = { says: 'The budget is deleted.', body: deletedSchema };
  return {
    'list-budgets': {
      tag: 'Budgets',
      summary: 'List budgets',
      description: 'Returns the budgets of a workspace, with the amounts used and remaining.',
      answers: { 200: { says: 'The budgets that are set.', body: budgetListSchema } },
      refuses: [404],
    },
    'get-budget': {
      tag: 'Budgets',
      summary: 'Get a budget',
      description:
        'Returns the budget for one interval. Returns a 404 if the workspace does not exist or has no budget for that interval.',
      answers: { 200: budget },
      refuses: [404],
    },
    'put-budget': {
      tag: 'Budgets',
      summary: 'Set a budget',
      description:
        'Creates or replaces the budget for one interval. A longer interval must have a higher limit than a shorter one.',
      body: budgetSchema,
      answers: { 200: budget },
      refuses: [404],
    },
    'delete-budget': {
      tag: 'Budgets',
      summary: 'Delete a budget',
      description: 'Deletes the budget for one interval. The other budgets are not affected.',
      answers: { 200: deleted },
      refuses: [404],
    },
  } as const satisfies Operations<typeof routes>;
};
