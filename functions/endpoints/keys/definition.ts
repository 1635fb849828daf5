import * as v from 'valibot';
import { dataSchema, deletedSchema } from '../../http/answer-schemas.ts';
import { keyed, managed, routesOf } from '../../http/routes.ts';
import { keyChangeSchema, keyListQuery, newKeySchema } from '../../keys/key-requests.ts';
import { createdKeySchema, shownCurrentKeySchema, shownKeySchema } from '../../keys/shown-key.ts';
import type { Operations } from '../../openapi/operation.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'create-key': managed('POST', '/keys', 'keys'),
  'list-keys': managed('GET', '/keys', 'read'),
  'get-key': managed('GET', '/keys/{hash}', 'read'),
  'update-key': managed('PATCH', '/keys/{hash}', 'keys'),
  'delete-key': managed('DELETE', '/keys/{hash}', 'keys'),
  'get-current-key': keyed('GET', '/key', 'read', 'read'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () => {
  const key = { says: 'The key.', body: dataSchema(shownKeySchema) };
  const deleted = { says: 'It is gone.', body: deletedSchema };
  return {
    'create-key': {
      tag: 'Keys',
      summary: 'Create a key',
      body: newKeySchema,
      answers: { 201: { says: 'The key, this once in clear.', body: createdKeySchema } },
    },
    'list-keys': {
      tag: 'Keys',
      summary: 'List keys',
      query: keyListQuery,
      answers: { 200: { says: 'Up to 100 of them.', body: dataSchema(v.array(shownKeySchema)) } },
    },
    'get-key': { tag: 'Keys', summary: 'Read a key', answers: { 200: key }, refuses: [404] },
    'update-key': {
      tag: 'Keys',
      summary: 'Change a key',
      description: 'What is left out stays; `null` clears.',
      body: keyChangeSchema,
      answers: { 200: key },
      refuses: [404],
    },
    'delete-key': {
      tag: 'Keys',
      summary: 'Delete a key',
      description:
        'A key cannot delete itself. Jobs of the deleted key that no provider has started end as `cancelled`, at no charge.',
      answers: { 200: deleted },
      refuses: [400, 404],
    },
    'get-current-key': {
      tag: 'Keys',
      summary: 'Read the key that is calling',
      answers: { 200: { says: 'The key.', body: dataSchema(shownCurrentKeySchema) } },
      refuses: [404],
    },
  } as const satisfies Operations<typeof routes>;
};
