import {
  destinationChangeSchema,
  destinationListQuery,
  destinationSchema,
  newDestinationSchema,
} from '../../broadcast/destination.ts';
import {
  shownBroadcastSchema,
  shownDestinationSchema,
  shownTestSchema,
} from '../../broadcast/shown-destination.ts';
import { countedPageSchema, dataSchema, deletedSchema } from '../../http/answer-schemas.ts';
import { managed, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'get-workspace-broadcast': managed('GET', '/workspaces/{workspace}/broadcast', 'read'),
  'put-workspace-broadcast': managed('PUT', '/workspaces/{workspace}/broadcast', 'webhooks'),
  'delete-workspace-broadcast': managed('DELETE', '/workspaces/{workspace}/broadcast', 'webhooks'),
  'test-workspace-broadcast': managed('POST', '/workspaces/{workspace}/broadcast/test', 'webhooks'),
  'list-destinations': managed('GET', '/observability/destinations', 'read'),
  'create-destination': managed('POST', '/observability/destinations', 'webhooks'),
  'get-destination': managed('GET', '/observability/destinations/{destination}', 'read'),
  'update-destination': managed('PATCH', '/observability/destinations/{destination}', 'webhooks'),
  'delete-destination': managed('DELETE', '/observability/destinations/{destination}', 'webhooks'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () => {
  const broadcast = { says: 'The broadcast settings.', body: dataSchema(shownBroadcastSchema) };
  const destination = { says: 'The destination.', body: dataSchema(shownDestinationSchema) };
  const deleted = { says: 'The destination is deleted.', body: deletedSchema };
  return {
    'get-workspace-broadcast': {
      tag: 'Broadcast',
      summary: 'Get the broadcast destination',
      description: 'Returns the broadcast destination of a workspace. The values of headers are never shown.',
      answers: { 200: broadcast },
      refuses: [404],
    },
    'put-workspace-broadcast': {
      tag: 'Broadcast',
      summary: 'Set the broadcast destination',
      description:
        'Replaces the URL and the headers of the destination; its other settings do not change. If you omit `headers`, Genway removes all headers of the destination. If the workspace has no destination, Genway creates one of type `otel-collector` that receives all traces. Traces to a new destination contain costs and identify the workspace and the key. Genway traces jobs that end while `is_observability_broadcast_enabled` of the workspace is true.',
      body: destinationSchema,
      answers: { 200: broadcast },
      refuses: [404],
    },
    'delete-workspace-broadcast': {
      tag: 'Broadcast',
      summary: 'Delete the broadcast destination',
      description:
        'Deletes the destination of a workspace. Genway then sends no more traces of the workspace.',
      answers: { 200: deleted },
      refuses: [404],
    },
    'test-workspace-broadcast': {
      tag: 'Broadcast',
      summary: 'Test the broadcast destination',
      description:
        'Sends one test span, without retries, and returns the result. The test also works while broadcasts are off.',
      answers: { 200: { says: 'The result of the test.', body: dataSchema(shownTestSchema) } },
      refuses: [400, 404],
    },
    'list-destinations': {
      tag: 'Broadcast',
      summary: 'List destinations',
      description: 'Returns the destination of a workspace, if it has one.',
      query: destinationListQuery,
      answers: { 200: { says: 'A page of destinations.', body: countedPageSchema(shownDestinationSchema) } },
      refuses: [404],
    },
    'create-destination': {
      tag: 'Broadcast',
      summary: 'Create a destination',
      description:
        'Creates the broadcast destination of a workspace, and selects the traces to send. Genway traces jobs that end while `is_observability_broadcast_enabled` of the workspace is true. A workspace can have only one destination.',
      body: newDestinationSchema,
      answers: { 201: { ...destination, headers: ['location'] } },
      refuses: [409],
    },
    'get-destination': {
      tag: 'Broadcast',
      summary: 'Get a destination',
      description: 'Returns a destination. The values of headers are never shown.',
      answers: { 200: destination },
      refuses: [404],
    },
    'update-destination': {
      tag: 'Broadcast',
      summary: 'Update a destination',
      description:
        'Updates a destination. Omitted fields keep their value; `null` clears a nullable field. `headers` replaces all headers, and `filter_rules` all rules. If you send all headers with `********` as their values, as responses show them, the headers do not change. If you change the URL of a destination with headers, send `headers` with their real values, or `{}` for none.',
      body: destinationChangeSchema,
      answers: { 200: destination },
      refuses: [404],
    },
    'delete-destination': {
      tag: 'Broadcast',
      summary: 'Delete a destination',
      description: 'Deletes a destination. Genway then sends no more traces to it.',
      answers: { 200: deleted },
      refuses: [404],
    },
  } as const satisfies Operations<typeof routes>;
};
