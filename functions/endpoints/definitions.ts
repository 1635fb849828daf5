import type { Operation } from '../openapi/operation.ts';
import * as approvals from './approvals/definition.ts';
import * as broadcast from './broadcast/definition.ts';
import * as budgets from './budgets/definition.ts';
import * as catalogue from './catalogue/definition.ts';
import * as credits from './credits/definition.ts';
import * as description from './description/definition.ts';
import * as files from './files/definition.ts';
import * as generations from './generations/definition.ts';
import * as guardrails from './guardrails/definition.ts';
import * as keys from './keys/definition.ts';
import * as models from './models/definition.ts';
import * as providerKeys from './provider-keys/definition.ts';
import * as reports from './reports/definition.ts';
import * as videos from './videos/definition.ts';
import * as webhooks from './webhooks/definition.ts';
import * as workspaces from './workspaces/definition.ts';

/** Every route of the API. */
export const routes = {
  ...files.routes,
  ...videos.routes,
  ...models.routes,
  ...catalogue.routes,
  ...workspaces.routes,
  ...budgets.routes,
  ...guardrails.routes,
  ...webhooks.routes,
  ...broadcast.routes,
  ...keys.routes,
  ...approvals.routes,
  ...providerKeys.routes,
  ...credits.routes,
  ...reports.routes,
  ...generations.routes,
  ...description.routes,
};
export type RouteId = keyof typeof routes;

/** What every route takes and answers. This and the examples are functions, so that bundles of handlers leave them out. */
export const operations = (): Readonly<Record<RouteId, Operation>> => ({
  ...files.operations(),
  ...videos.operations(),
  ...models.operations(),
  ...catalogue.operations(),
  ...workspaces.operations(),
  ...budgets.operations(),
  ...guardrails.operations(),
  ...webhooks.operations(),
  ...broadcast.operations(),
  ...keys.operations(),
  ...approvals.operations(),
  ...providerKeys.operations(),
  ...credits.operations(),
  ...reports.operations(),
  ...generations.operations(),
  ...description.operations(),
});

/** What a stage really answered; `npm run openapi:examples` records it. */
export const examples = (): Readonly<Record<string, unknown>> => ({
  ...files.examples,
  ...videos.examples,
  ...models.examples,
  ...catalogue.examples,
  ...workspaces.examples,
  ...budgets.examples,
  ...guardrails.examples,
  ...webhooks.examples,
  ...broadcast.examples,
  ...keys.examples,
  ...approvals.examples,
  ...providerKeys.examples,
  ...credits.examples,
  ...reports.examples,
  ...generations.examples,
  ...description.examples,
});
