import type { RouteId } from '../http/routes.ts';
import { broadcastOperations } from './broadcast.ts';
import { endpointOperations } from './endpoints.ts';
import { fileOperations } from './files.ts';
import { generationOperations } from './generations.ts';
import { guardrailOperations } from './guardrails.ts';
import { keyOperations } from './keys.ts';
import type { Operation } from './operation.ts';
import { ownOperations } from './own.ts';
import { reportOperations } from './reports.ts';
import { videoOperations } from './videos.ts';
import { webhookOperations } from './webhooks.ts';
import { workspaceOperations } from './workspaces.ts';

/** What every route takes and answers. Without an entry for a route this does not compile. */
export const operations: Readonly<Record<RouteId, Operation>> = {
  ...fileOperations,
  ...videoOperations,
  ...endpointOperations,
  ...workspaceOperations,
  ...guardrailOperations,
  ...webhookOperations,
  ...broadcastOperations,
  ...keyOperations,
  ...reportOperations,
  ...generationOperations,
  ...ownOperations,
};
