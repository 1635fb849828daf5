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

const KNOWN = 'Submits go by it within 30 seconds; by another limit, at once.';

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
        'It does nothing until its workspace names it as its `default_guardrail_id`, or a key of the workspace as its ' +
        '`guardrail_id`. The one that a workspace has from the beginning need not be named: change that.',
      body: newGuardrailSchema,
      answers: { 201: { ...guardrail, headers: ['location'] } },
    },
    'list-guardrails': {
      tag: 'Guardrails',
      summary: 'List a workspace’s guardrails',
      description:
        'Of the default workspace where none is named; first the one that it has from the beginning.',
      query: guardrailListQuery,
      answers: { 200: { says: 'A page of guardrails.', body: countedPageSchema(shownGuardrailSchema) } },
      refuses: [404],
    },
    'get-guardrail': {
      tag: 'Guardrails',
      summary: 'Read a guardrail',
      answers: { 200: guardrail },
      refuses: [404],
    },
    'update-guardrail': {
      tag: 'Guardrails',
      summary: 'Change a guardrail',
      description: `What is left out stays; \`null\` clears. ${KNOWN}`,
      body: guardrailChangeSchema,
      answers: { 200: guardrail },
      refuses: [404],
    },
    'delete-guardrail': {
      tag: 'Guardrails',
      summary: 'Delete a guardrail',
      description:
        'Refused while its workspace or one of its keys names it, and for the one that a workspace has from the beginning.',
      answers: { 200: { says: 'It is gone.', body: deletedSchema } },
      refuses: [404, 409],
    },
    'list-key-assignments': {
      tag: 'Guardrails',
      summary: 'List which keys have a guardrail of their own',
      description: 'Of every workspace that the key may act in, oldest key first.',
      query: offsetPage,
      answers: { 200: assignments },
    },
    'list-assigned-keys': {
      tag: 'Guardrails',
      summary: 'List the keys of a guardrail',
      description: 'Those that name it as their `guardrail_id`, oldest first.',
      query: offsetPage,
      answers: { 200: assignments },
      refuses: [404],
    },
    'assign-keys': {
      tag: 'Guardrails',
      summary: 'Give keys a guardrail',
      description:
        'As `guardrail_id` of each key does: it applies instead of the one that they had. All of them, or none if one is refused.',
      body: assignedKeysSchema,
      answers: { 200: { says: 'How many keys have it.', body: assignedCountSchema } },
      refuses: [404],
    },
    'unassign-keys': {
      tag: 'Guardrails',
      summary: 'Take a guardrail from keys',
      description:
        'They go by that of their workspace again. Keys that do not have this guardrail stay as they are.',
      body: assignedKeysSchema,
      answers: { 200: { says: 'How many keys had it.', body: unassignedCountSchema } },
      refuses: [404],
    },
  } as const satisfies Operations<typeof routes>;
};
