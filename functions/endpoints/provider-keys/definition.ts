import { countedPageSchema, dataSchema, deletedSchema } from '../../http/answer-schemas.ts';
import { managed, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';
import {
  newProviderKeySchema,
  providerKeyChangeSchema,
  providerKeyListQuery,
} from '../../provider-keys/provider-key.ts';
import { keyTestSchema, shownProviderKeySchema } from '../../provider-keys/shown-provider-key.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'create-provider-key': managed('POST', '/byok', 'keys'),
  'list-provider-keys': managed('GET', '/byok', 'read'),
  'get-provider-key': managed('GET', '/byok/{id}', 'read'),
  'update-provider-key': managed('PATCH', '/byok/{id}', 'keys'),
  'delete-provider-key': managed('DELETE', '/byok/{id}', 'keys'),
  'test-provider-key': managed('POST', '/byok/{id}/test', 'keys'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () => {
  const providerKey = { says: 'The provider key.', body: dataSchema(shownProviderKeySchema) };
  const deleted = { says: 'The provider key is deleted.', body: deletedSchema };
  return {
    'create-provider-key': {
      tag: 'Provider keys',
      summary: 'Create a provider key',
      description:
        'Stores your own provider key, encrypted. Jobs and file requests of the workspace can then use the key, subject to its settings. If the deployment shares its account at the provider, keys in the default workspace can also serve the jobs of other workspaces. Such keys ignore `is_required` and `is_byok_only`, and serve no jobs if they have `allowed_api_key_hashes` or `allowed_user_ids`.',
      body: newProviderKeySchema,
      answers: { 201: { ...providerKey, headers: ['location'] } },
    },
    'list-provider-keys': {
      tag: 'Provider keys',
      summary: 'List provider keys',
      description: 'Returns the settings of a workspace’s provider keys, but not the keys themselves.',
      query: providerKeyListQuery,
      answers: { 200: { says: 'A page of provider keys.', body: countedPageSchema(shownProviderKeySchema) } },
    },
    'get-provider-key': {
      tag: 'Provider keys',
      summary: 'Get a provider key',
      description: 'Returns the settings of a provider key, but not the key itself.',
      answers: { 200: providerKey },
      refuses: [404],
    },
    'update-provider-key': {
      tag: 'Provider keys',
      summary: 'Update a provider key',
      description:
        'Changes the settings of a provider key, or replaces the key itself. Omitted fields keep their value. The change takes effect within 30 seconds. The change does not affect whether jobs that were already submitted may use shared accounts.',
      body: providerKeyChangeSchema,
      answers: { 200: providerKey },
      refuses: [404],
    },
    'delete-provider-key': {
      tag: 'Provider keys',
      summary: 'Delete a provider key',
      description: 'Deletes a provider key. Jobs and file requests stop using it within 30 seconds.',
      answers: { 200: deleted },
      refuses: [404],
    },
    'test-provider-key': {
      tag: 'Provider keys',
      summary: 'Test a provider key',
      description:
        'Makes one read request to the provider with the key, and returns whether the provider accepts the key. The request costs nothing. If the deployment does not call the provider with keys, Genway makes no request, and the outcome is `unknown`. You can also test a disabled key.',
      answers: { 200: { says: 'The result of the test.', body: dataSchema(keyTestSchema) } },
      refuses: [404],
    },
  } as const satisfies Operations<typeof routes>;
};
