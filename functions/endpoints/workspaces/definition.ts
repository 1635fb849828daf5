import { countedPageSchema, dataSchema, deletedSchema } from '../../http/answer-schemas.ts';
import { managed, routesOf } from '../../http/routes.ts';
import { offsetPage } from '../../http/validation.ts';
import type { Operations } from '../../openapi/operation.ts';
import { shownWorkspaceSchema } from '../../workspaces/shown-workspace.ts';
import { newWorkspaceSchema, workspaceChangeSchema } from '../../workspaces/workspace.ts';

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
  const deleted = { says: 'It is gone.', body: deletedSchema };
  return {
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
      description:
        'Refused for the default workspace, and while the workspace has active keys or running jobs. With the answer its ' +
        'files and videos are gone, and no link to them works; a 503 asks for the same request again, because there are ' +
        'too many for one. Its prompts, inputs, metadata, callback URLs, events, logs and keys are deleted within a day. ' +
        'Reports keep ids, models, times and costs.',
      answers: { 200: deleted },
      refuses: [400, 404],
    },
  } as const satisfies Operations<typeof routes>;
};
