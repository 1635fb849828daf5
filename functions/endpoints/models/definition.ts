import * as v from 'valibot';
import { count, dataSchema } from '../../http/answer-schemas.ts';
import { open, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';
import { listedModelSchema, modelEndpointsSchema } from '../../videos/catalogue/listed-model.ts';
import { modelCountQuery, modelListQuery } from '../../videos/catalogue/model-choice.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'list-models': open('/models'),
  'count-models': open('/models/count'),
  'list-model-endpoints': open('/models/{author}/{slug}/endpoints'),
  'list-providers': open('/providers'),
});

const unknown = v.null();

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () =>
  ({
    'list-models': {
      tag: 'Models',
      summary: 'List models',
      description:
        'For clients that list models of every kind. What videos need (lengths, sizes, references, prices by second) is in `GET /videos/models`.',
      query: modelListQuery,
      answers: {
        200: {
          says: 'A page of models.',
          headers: ['cache-control'],
          body: v.object({
            data: v.array(listedModelSchema),
            links: v.object({
              next: v.pipe(v.nullable(v.string()), v.description('The next page; null on the last one')),
            }),
            total_count: count,
          }),
        },
      },
    },
    'count-models': {
      tag: 'Models',
      summary: 'Count models',
      description: 'Returns how many models this deployment offers.',
      query: modelCountQuery,
      answers: {
        200: {
          says: 'How many there are.',
          headers: ['cache-control'],
          body: dataSchema(v.object({ count })),
        },
      },
    },
    'list-model-endpoints': {
      tag: 'Models',
      summary: 'List endpoints of a model',
      description:
        'In the words of clients that know models of every kind; `tag` names an endpoint in a submit.',
      answers: {
        200: {
          says: 'The model with its endpoints.',
          headers: ['cache-control'],
          body: dataSchema(modelEndpointsSchema),
        },
      },
      refuses: [404],
    },
    'list-providers': {
      tag: 'Models',
      summary: 'List providers',
      description: 'Those that have a model of this deployment.',
      answers: {
        200: {
          says: 'The providers.',
          headers: ['cache-control'],
          body: dataSchema(
            v.array(
              v.object({
                name: v.string(),
                slug: v.pipe(v.string(), v.description('As a submit and a provider key name it')),
                privacy_policy_url: unknown,
                terms_of_service_url: unknown,
                status_page_url: unknown,
                headquarters: unknown,
                datacenters: unknown,
              }),
            ),
          ),
        },
      },
    },
  }) as const satisfies Operations<typeof routes>;
