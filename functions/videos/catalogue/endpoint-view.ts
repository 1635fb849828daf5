import type { Catalogue } from './catalogue.ts';
import type { VideoEndpoint } from './endpoint.ts';
import type { EndpointChanges } from './endpoint-changes.ts';

/** An endpoint as operators see it: its row, and what has been done to it on this stage. */
export const describeEndpointRow = (
  endpoint: VideoEndpoint,
  catalogue: Catalogue,
  changes: EndpointChanges,
) => ({
  ...endpoint,
  paused: catalogue.isPaused(endpoint.id),
  changed: changes.rows.some(({ id }) => id === endpoint.id),
});
