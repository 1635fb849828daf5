import { countedPageSchema, dataSchema, deletedSchema } from '../../http/answer-schemas.ts';
import { managed, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';
import {
  newProviderKeySchema,
  providerKeyChangeSchema,
  providerKeyListQuery,
} from '../../provider-keys/provider-key.ts';
import { shownProviderKeySchema } from '../../provider-keys/shown-provider-key.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'create-provider-key': managed('POST', '/byok', 'keys'),
  'list-provider-keys': managed('GET', '/byok', 'read'),
  'get-provider-key': managed('GET', '/byok/{id}', 'read'),
  'update-provider-key': managed('PATCH', '/byok/{id}', 'keys'),
  'delete-provider-key': managed('DELETE', '/byok/{id}', 'keys'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () => {
  const providerKey = { says: 'The provider key.', body: dataSchema(shownProviderKeySchema) };
  const deleted = { says: 'It is gone.', body: deletedSchema };
  return {
    'create-provider-key': {
      tag: 'Provider keys',
      summary: 'Store a provider key',
      body: newProviderKeySchema,
      answers: { 201: providerKey },
    },
    'list-provider-keys': {
      tag: 'Provider keys',
      summary: 'List a workspace’s provider keys',
      query: providerKeyListQuery,
      answers: { 200: { says: 'A page of them.', body: countedPageSchema(shownProviderKeySchema) } },
    },
    'get-provider-key': {
      tag: 'Provider keys',
      summary: 'Read a provider key',
      answers: { 200: providerKey },
      refuses: [404],
    },
    'update-provider-key': {
      tag: 'Provider keys',
      summary: 'Change a provider key',
      body: providerKeyChangeSchema,
      answers: { 200: providerKey },
      refuses: [404],
    },
    'delete-provider-key': {
      tag: 'Provider keys',
      summary: 'Delete a provider key',
      answers: { 200: deleted },
      refuses: [404],
    },
  } as const satisfies Operations<typeof routes>;
};
