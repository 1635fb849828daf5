import { destinationSchema } from '../broadcast/destination.ts';
import { shownDestinationSchema, shownTestSchema } from '../broadcast/shown-destination.ts';
import { dataSchema, deletedSchema } from '../http/answer-schemas.ts';
import type { Operation } from './operation.ts';

const destination = { says: 'Where traces go.', body: dataSchema(shownDestinationSchema) };

export const broadcastOperations = {
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
} as const satisfies Record<string, Operation>;
