import { guardrailChangeSchema, guardrailListQuery, newGuardrailSchema } from '../../guardrails/guardrail.ts';
import { shownGuardrailSchema } from '../../guardrails/shown-guardrail.ts';
import { countedPageSchema, dataSchema, deletedSchema } from '../../http/answer-schemas.ts';
import { managed, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';

const KNOWN = 'Submits go by it within 30 seconds; by another limit, at once.';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'create-guardrail': managed('POST', '/guardrails', 'workspaces'),
  'list-guardrails': managed('GET', '/guardrails', 'read'),
  'get-guardrail': managed('GET', '/guardrails/{guardrail}', 'read'),
  'update-guardrail': managed('PATCH', '/guardrails/{guardrail}', 'workspaces'),
  'delete-guardrail': managed('DELETE', '/guardrails/{guardrail}', 'workspaces'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () => {
  const guardrail = { says: 'The guardrail.', body: dataSchema(shownGuardrailSchema) };
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
  } as const satisfies Operations<typeof routes>;
};
