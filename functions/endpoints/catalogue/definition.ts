import * as v from 'valibot';
import { dataSchema, deletedSchema } from '../../http/answer-schemas.ts';
import { managedForAll, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';
import { newOfferSchema, offerChangeSchema, shownOfferSchema } from '../../videos/catalogue/offer-view.ts';

const KNOWN = "Every function knows within the stage's `endpointCacheSeconds`, 30 by default.";

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
  return {
    'list-endpoints': {
      tag: 'Endpoints',
      summary: 'List the endpoints of the catalogue',
      description: 'Also those whose provider this deployment does not offer.',
      answers: { 200: { says: 'All of them.', body: dataSchema(v.array(shownOfferSchema)) } },
    },
    'put-endpoint': {
      tag: 'Endpoints',
      summary: 'Add or replace an endpoint',
      description: `By the rules of the file that the deployment began with. ${KNOWN}`,
      body: newOfferSchema,
      answers: { 200: endpoint },
    },
    'update-endpoint': {
      tag: 'Endpoints',
      summary: 'Pause, resume or price an endpoint',
      description: KNOWN,
      body: offerChangeSchema,
      answers: { 200: endpoint },
      refuses: [404],
    },
    'delete-endpoint': {
      tag: 'Endpoints',
      summary: 'Remove an endpoint',
      description: `Jobs that its provider has go on. ${KNOWN}`,
      answers: { 200: { says: 'It is gone.', body: deletedSchema } },
      refuses: [404],
    },
  } as const satisfies Operations<typeof routes>;
};
