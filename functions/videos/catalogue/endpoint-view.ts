import type { Catalogue } from './catalogue.ts';
import type { VideoEndpoint } from './endpoint.ts';
import type { EndpointChanges } from './endpoint-changes.ts';

/** An endpoint as operators see it: its row, and how this stage has changed it. */
export const describeEndpointRow = (
  endpoint: VideoEndpoint,
  catalogue: Catalogue,
  changes: EndpointChanges,
) => ({
  ...endpoint,
  paused: catalogue.isPaused(endpoint.id),
  changed: changes.rows.some(({ id }) => id === endpoint.id),
});
