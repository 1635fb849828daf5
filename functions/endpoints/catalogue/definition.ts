import * as v from 'valibot';
import { shownApprovalSchema } from '../../approvals/shown-approval.ts';
import { dataSchema, deletedSchema } from '../../http/answer-schemas.ts';
import { managedForAll, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';
import { newOfferSchema, offerChangeSchema, shownOfferSchema } from '../../videos/catalogue/offer-view.ts';

const KNOWN =
  'The change takes effect within 30 seconds, or within the time that the deployment sets (`endpointCacheSeconds`). If the change needs approval, that time begins with the approval.';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'list-endpoints': managedForAll('GET', '/endpoints', 'read'),
  'put-endpoint': managedForAll('PUT', '/endpoints/{provider}/{name}', 'catalogue'),
  'update-endpoint': managedForAll('PATCH', '/endpoints/{provider}/{name}', 'catalogue'),
  'delete-endpoint': managedForAll('DELETE', '/endpoints/{provider}/{name}', 'catalogue'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () => {
  const endpoint = { says: 'The endpoint.', body: dataSchema(shownOfferSchema) };
  const pending = {
    says: 'Sent if the deployment requires approvals. The change takes effect once a management key of another line approves it.',
    body: dataSchema(shownApprovalSchema),
  };
  return {
    'list-endpoints': {
      tag: 'Endpoints',
      summary: 'List endpoints',
      description:
        'Returns every endpoint of the catalogue, including those whose provider this deployment does not offer.',
      answers: { 200: { says: 'The endpoints.', body: dataSchema(v.array(shownOfferSchema)) } },
    },
    'put-endpoint': {
      tag: 'Endpoints',
      summary: 'Create or replace an endpoint',
      description: `Creates or replaces an endpoint. Genway validates it like the endpoints of the built-in catalogue. Its provider must be in the settings of the deployment. Bedrock models are refused here: add or change them in \`videos.models\` of the stage, and deploy. ${KNOWN}`,
      body: newOfferSchema,
      answers: { 200: endpoint, 202: pending },
    },
    'update-endpoint': {
      tag: 'Endpoints',
      summary: 'Update an endpoint',
      description: `Pauses or resumes an endpoint, or changes its prices. A request that only pauses an endpoint needs no approval. ${KNOWN}`,
      body: offerChangeSchema,
      answers: { 200: endpoint, 202: pending },
      refuses: [404],
    },
    'delete-endpoint': {
      tag: 'Endpoints',
      summary: 'Delete an endpoint',
      description: `Deletes an endpoint. Jobs that the provider has accepted continue. The others move to another endpoint or fail. ${KNOWN}`,
      answers: { 200: { says: 'The endpoint is deleted.', body: deletedSchema }, 202: pending },
      refuses: [404],
    },
  } as const satisfies Operations<typeof routes>;
};
