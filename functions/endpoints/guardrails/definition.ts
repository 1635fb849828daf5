import {
  assignedCountSchema,
  assignedKeysSchema,
  shownAssignmentSchema,
  unassignedCountSchema,
} from '../../guardrails/assignment.ts';
import { guardrailChangeSchema, guardrailListQuery, newGuardrailSchema } from '../../guardrails/guardrail.ts';
import { shownGuardrailSchema } from '../../guardrails/shown-guardrail.ts';
import { countedPageSchema, dataSchema, deletedSchema } from '../../http/answer-schemas.ts';
import { managed, routesOf } from '../../http/routes.ts';
import { offsetPage } from '../../http/validation.ts';
import type { Operations } from '../../openapi/operation.ts';

const KNOWN =
  'Changes apply to new jobs within 30 seconds. If the guardrail already had a limit, its new limit applies immediately.';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'create-guardrail': managed('POST', '/guardrails', 'workspaces'),
  'list-guardrails': managed('GET', '/guardrails', 'read'),
  'get-guardrail': managed('GET', '/guardrails/{guardrail}', 'read'),
  'update-guardrail': managed('PATCH', '/guardrails/{guardrail}', 'workspaces'),
  'delete-guardrail': managed('DELETE', '/guardrails/{guardrail}', 'workspaces'),
  'list-key-assignments': managed('GET', '/guardrails/assignments/keys', 'read'),
  'list-assigned-keys': managed('GET', '/guardrails/{guardrail}/assignments/keys', 'read'),
  'assign-keys': managed('POST', '/guardrails/{guardrail}/assignments/keys', 'keys'),
  'unassign-keys': managed('POST', '/guardrails/{guardrail}/assignments/keys/remove', 'keys'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () => {
  const guardrail = { says: 'The guardrail.', body: dataSchema(shownGuardrailSchema) };
  const assignments = { says: 'A page of assignments.', body: countedPageSchema(shownAssignmentSchema) };
  return {
    'create-guardrail': {
      tag: 'Guardrails',
      summary: 'Create a guardrail',
      description:
        'Creates a guardrail. It takes effect once it is the `default_guardrail_id` of the workspace or the `guardrail_id` of a key. Every workspace already has a guardrail of its own, which you can update instead.',
      body: newGuardrailSchema,
      answers: { 201: { ...guardrail, headers: ['location'] } },
    },
    'list-guardrails': {
      tag: 'Guardrails',
      summary: 'List guardrails',
      description:
        'Returns the guardrails of a workspace. The guardrail that the workspace started with comes first.',
      query: guardrailListQuery,
      answers: { 200: { says: 'A page of guardrails.', body: countedPageSchema(shownGuardrailSchema) } },
      refuses: [404],
    },
    'get-guardrail': {
      tag: 'Guardrails',
      summary: 'Get a guardrail',
      description: 'Returns a guardrail, with its rules and its limit.',
      answers: { 200: guardrail },
      refuses: [404],
    },
    'update-guardrail': {
      tag: 'Guardrails',
      summary: 'Update a guardrail',
      description: `Updates a guardrail. Omitted fields keep their value; \`null\` clears a nullable field. ${KNOWN}`,
      body: guardrailChangeSchema,
      answers: { 200: guardrail },
      refuses: [404],
    },
    'delete-guardrail': {
      tag: 'Guardrails',
      summary: 'Delete a guardrail',
      description:
        'Deletes a guardrail. You cannot delete the guardrail that the workspace started with, or one that the workspace or a key uses.',
      answers: { 200: { says: 'The guardrail is deleted.', body: deletedSchema } },
      refuses: [404, 409],
    },
    'list-key-assignments': {
      tag: 'Guardrails',
      summary: 'List key assignments',
      description:
        'Returns the guardrail assignments of all keys that the caller may see, in all workspaces, oldest key first.',
      query: offsetPage,
      answers: { 200: assignments },
    },
    'list-assigned-keys': {
      tag: 'Guardrails',
      summary: 'List the keys of a guardrail',
      description:
        'Returns the assignments of this guardrail to keys that the caller may see, oldest key first.',
      query: offsetPage,
      answers: { 200: assignments },
      refuses: [404],
    },
    'assign-keys': {
      tag: 'Guardrails',
      summary: 'Assign keys to a guardrail',
      description:
        'Sets `guardrail_id` of each key and replaces any earlier value. If any key is refused, no key changes.',
      body: assignedKeysSchema,
      answers: {
        200: {
          says: 'Number of the given keys that now have the guardrail.',
          body: assignedCountSchema,
        },
      },
      refuses: [404],
    },
    'unassign-keys': {
      tag: 'Guardrails',
      summary: 'Unassign keys from a guardrail',
      description:
        'Clears `guardrail_id` of each key, so that the default guardrail of its workspace applies. Keys with another guardrail do not change.',
      body: assignedKeysSchema,
      answers: { 200: { says: 'Number of keys removed from the guardrail.', body: unassignedCountSchema } },
      refuses: [404],
    },
  } as const satisfies Operations<typeof routes>;
};
