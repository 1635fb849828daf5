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
  const destination = { says: 'Where traces go.', body: dataSchema(shownDestinationSchema) };
  return {
    'get-workspace-broadcast': {
      tag: 'Broadcast',
      summary: 'Read where a workspace’s traces go',
      answers: { 200: destination },
      refuses: [404],
    },
    'put-workspace-broadcast': {
      tag: 'Broadcast',
      summary: 'Set where a workspace’s traces go',
      description:
        'Replaces the address and the headers. Traces are sent while the workspace’s `is_observability_broadcast_enabled` is true.',
      body: destinationSchema,
      answers: { 200: destination },
      refuses: [404],
    },
    'delete-workspace-broadcast': {
      tag: 'Broadcast',
      summary: 'Take the destination away',
      answers: { 200: { says: 'There is none now.', body: deletedSchema } },
      refuses: [404],
    },
    'test-workspace-broadcast': {
      tag: 'Broadcast',
      summary: 'Send a test span now',
      description: 'One request, which is not repeated; it also works where broadcasts are off.',
      answers: { 200: { says: 'What came of it.', body: dataSchema(shownTestSchema) } },
      refuses: [400, 404],
    },
  } as const satisfies Operations<typeof routes>;
};
