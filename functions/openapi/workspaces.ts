import { countedPageSchema, dataSchema, deletedSchema } from '../http/answer-schemas.ts';
import { offsetPage } from '../http/validation.ts';
import { budgetAnswerSchema, budgetListSchema, budgetSchema } from '../workspaces/budget.ts';
import { shownWorkspaceSchema } from '../workspaces/shown-workspace.ts';
import { newWorkspaceSchema, workspaceChangeSchema } from '../workspaces/workspace.ts';
import type { Operation } from './operation.ts';

const workspace = { says: 'The workspace.', body: dataSchema(shownWorkspaceSchema) };
const budget = { says: 'The budget.', body: budgetAnswerSchema };
const deleted = { says: 'It is gone.', body: deletedSchema };

export const workspaceOperations = {
  'create-workspace': {
    tag: 'Workspaces',
    summary: 'Create a workspace',
    idempotencyKey: 'optional',
    body: newWorkspaceSchema,
    answers: { 201: { ...workspace, headers: ['location', 'idempotent-replayed'] } },
  },
  'list-workspaces': {
    tag: 'Workspaces',
    summary: 'List workspaces',
    query: offsetPage,
    answers: { 200: { says: 'A page of workspaces.', body: countedPageSchema(shownWorkspaceSchema) } },
  },
  'get-workspace': {
    tag: 'Workspaces',
    summary: 'Read a workspace',
    answers: { 200: workspace },
    refuses: [404],
  },
  'update-workspace': {
    tag: 'Workspaces',
    summary: 'Change a workspace',
    description: 'What is left out stays; `null` clears.',
    body: workspaceChangeSchema,
    answers: { 200: workspace },
    refuses: [404],
  },
  'delete-workspace': {
    tag: 'Workspaces',
    summary: 'Delete a workspace and all that it holds',
    description: 'Refused while it has active keys or running jobs, and for the default workspace.',
    answers: { 200: deleted },
    refuses: [400, 404],
  },
  'list-budgets': {
    tag: 'Budgets',
    summary: 'List a workspace’s budgets',
    answers: { 200: { says: 'Those that are set.', body: budgetListSchema } },
    refuses: [404],
  },
  'get-budget': {
    tag: 'Budgets',
    summary: 'Read a budget',
    answers: { 200: budget },
    refuses: [404],
  },
  'put-budget': {
    tag: 'Budgets',
    summary: 'Set a budget',
    description: 'A longer interval must allow more than a shorter one.',
    body: budgetSchema,
    answers: { 200: budget },
    refuses: [404],
  },
  'delete-budget': {
    tag: 'Budgets',
    summary: 'Take a budget away',
    answers: { 200: deleted },
    refuses: [404],
  },
} as const satisfies Record<string, Operation>;
