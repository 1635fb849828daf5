import { destinationSchema } from '../../broadcast/destination.ts';
import { shownDestinationSchema, shownTestSchema } from '../../broadcast/shown-destination.ts';
import { dataSchema, deletedSchema } from '../../http/answer-schemas.ts';
import { managed, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'get-workspace-broadcast': managed('GET', '/workspaces/{workspace}/broadcast', 'read'),
  'put-workspace-broadcast': managed('PUT', '/workspaces/{workspace}/broadcast', 'webhooks'),
  'delete-workspace-broadcast': managed('DELETE', '/workspaces/{workspace}/broadcast', 'webhooks'),
  'test-workspace-broadcast': managed('POST', '/workspaces/{workspace}/broadcast/test', 'webhooks'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () => {
  const destination = { says: 'The broadcast settings.', body: dataSchema(shownDestinationSchema) };
  return {
    'get-workspace-broadcast': {
      tag: 'Broadcast',
      summary: 'Get the broadcast destination',
      description: 'Returns where the traces of a workspace are sent. The values of headers are never shown.',
      answers: { 200: destination },
      refuses: [404],
    },
    'put-workspace-broadcast': {
      tag: 'Broadcast',
      summary: 'Set the broadcast destination',
      description:
        'Replaces the address and the headers. Genway sends traces while `is_observability_broadcast_enabled` of the workspace is true.',
      body: destinationSchema,
      answers: { 200: destination },
      refuses: [404],
    },
    'delete-workspace-broadcast': {
      tag: 'Broadcast',
      summary: 'Delete the broadcast destination',
      description: 'Deletes the address and the headers. Genway sends no more traces of the workspace.',
      answers: { 200: { says: 'The destination is deleted.', body: deletedSchema } },
      refuses: [404],
    },
    'test-workspace-broadcast': {
      tag: 'Broadcast',
      summary: 'Test the broadcast destination',
      description:
        'Sends one test span and returns the result. Genway does not retry it. The test also works while broadcasts are off.',
      answers: { 200: { says: 'The result of the test.', body: dataSchema(shownTestSchema) } },
      refuses: [400, 404],
    },
  } as const satisfies Operations<typeof routes>;
};
