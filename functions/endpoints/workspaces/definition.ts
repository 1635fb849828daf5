import { countedPageSchema, dataSchema, deletedSchema } from '../../http/answer-schemas.ts';
import { managed, routesOf } from '../../http/routes.ts';
import { offsetPage } from '../../http/validation.ts';
import type { Operations } from '../../openapi/operation.ts';
import { shownWorkspaceSchema } from '../../workspaces/shown-workspace.ts';
import {
  newWorkspaceSchema,
  workspaceChangeSchema,
  workspaceDeletionQuery,
} from '../../workspaces/workspace.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  // The only one with a key and without a limit: its table of statuses has no 429.
  'create-workspace': {
    method: 'POST',
    path: '/workspaces',
    access: 'management',
    group: 'workspaces',
    concernsAll: true,
  },
  'list-workspaces': managed('GET', '/workspaces', 'read'),
  'get-workspace': managed('GET', '/workspaces/{workspace}', 'read'),
  'update-workspace': managed('PATCH', '/workspaces/{workspace}', 'workspaces'),
  'delete-workspace': {
    ...managed('DELETE', '/workspaces/{workspace}', 'workspaces'),
    answers503: true,
  },
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () => {
  const workspace = { says: 'The workspace.', body: dataSchema(shownWorkspaceSchema) };
  const deleted = { says: 'The workspace is deleted.', body: deletedSchema };
  return {
    'create-workspace': {
      tag: 'Workspaces',
      summary: 'Create a workspace',
      description:
        'Creates a workspace with its own files, jobs, keys, budgets and webhook settings. Requires a management key that is not limited to specific workspaces.',
      idempotencyKey: 'optional',
      body: newWorkspaceSchema,
      answers: { 201: { ...workspace, headers: ['location', 'idempotent-replayed'] } },
    },
    'list-workspaces': {
      tag: 'Workspaces',
      summary: 'List workspaces',
      description: 'Returns the workspaces that the caller may see. Use `offset` to get the next page.',
      query: offsetPage,
      answers: { 200: { says: 'A page of workspaces.', body: countedPageSchema(shownWorkspaceSchema) } },
    },
    'get-workspace': {
      tag: 'Workspaces',
      summary: 'Get a workspace',
      description: 'Returns a workspace by its ID or its slug.',
      answers: { 200: workspace },
      refuses: [404],
    },
    'update-workspace': {
      tag: 'Workspaces',
      summary: 'Update a workspace',
      description:
        'Updates a workspace. Omitted fields keep their value; `null` clears a nullable field. You cannot change the slug of the default workspace.',
      body: workspaceChangeSchema,
      answers: { 200: workspace },
      refuses: [404],
    },
    'delete-workspace': {
      tag: 'Workspaces',
      summary: 'Delete a workspace',
      description:
        'Deletes a workspace with its files, videos, keys and settings, but not files at providers. You cannot delete the default workspace, or a workspace with active keys or jobs that have not ended. Before it responds, Genway deletes the files and videos that it stores, and links to them stop working. After a 503, some of them may remain: send the request again. Genway deletes prompts, inputs, metadata, callback URLs, webhook events, private logs and keys within a day. Reports and audit events remain, without prompts and media. Reports can still contain values of `user`.',
      query: workspaceDeletionQuery,
      answers: { 200: deleted },
      refuses: [400, 404],
    },
  } as const satisfies Operations<typeof routes>;
};
