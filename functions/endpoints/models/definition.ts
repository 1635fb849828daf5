import * as v from 'valibot';
import { count, dataSchema } from '../../http/answer-schemas.ts';
import { keyed, open, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';
import {
  listedEndpointSchema,
  listedModelSchema,
  modelEndpointsSchema,
} from '../../videos/catalogue/listed-model.ts';
import { modelCountQuery, modelListQuery, ownModelsQuery } from '../../videos/catalogue/model-choice.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'list-models': open('/models'),
  'count-models': open('/models/count'),
  'list-own-models': keyed('GET', '/models/user', 'read', 'read'),
  'get-model': open('/model/{author}/{slug}'),
  'list-zdr-endpoints': keyed('GET', '/endpoints/zdr', 'read', 'read'),
  'list-model-endpoints': open('/models/{author}/{slug}/endpoints'),
  'list-providers': open('/providers'),
});

const unknown = v.null();
const page = v.object({
  data: v.array(listedModelSchema),
  links: v.pipe(
    v.object({
      next: v.pipe(
        v.nullable(v.string()),
        v.description('Path and query of the next page. Null on the last page'),
      ),
    }),
    v.description('Link to the next page'),
  ),
  total_count: count,
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () =>
  ({
    'list-models': {
      tag: 'Models',
      summary: 'List models',
      description:
        'Returns the video models of this deployment in the format of OpenRouter’s API. `GET /videos/models` also has the durations and sizes of videos, and the limits for references.',
      query: modelListQuery,
      answers: {
        200: {
          says: 'A page of models.',
          headers: ['cache-control'],
          body: page,
        },
      },
    },
    'count-models': {
      tag: 'Models',
      summary: 'Count models',
      description: 'Returns the number of models that this deployment offers.',
      query: modelCountQuery,
      answers: {
        200: {
          says: 'The number of models.',
          headers: ['cache-control'],
          body: dataSchema(v.object({ count })),
        },
      },
    },
    'list-own-models': {
      tag: 'Models',
      summary: 'List models for the current key',
      description:
        'Returns, in the format of OpenRouter’s API, the models with at least one endpoint that the guardrail of the key allows. For a key without a guardrail, the default guardrail of its workspace applies. Only the allowed endpoints determine the fields of a model.',
      query: ownModelsQuery,
      answers: { 200: { says: 'A page of models.', body: page } },
    },
    'get-model': {
      tag: 'Models',
      summary: 'Get a model',
      description: 'Returns a model in the format of OpenRouter’s API.',
      answers: {
        200: { says: 'The model.', headers: ['cache-control'], body: dataSchema(listedModelSchema) },
      },
      refuses: [404],
    },
    'list-zdr-endpoints': {
      tag: 'Models',
      summary: 'List endpoints with zero data retention',
      description:
        'Returns the endpoints where jobs of the calling key use only provider keys of its workspace that have `declared_zdr: true`. By setting `declared_zdr`, you declare that the provider retains no data. Genway does not verify the declaration. Guardrails have no effect on this list.',
      answers: { 200: { says: 'The endpoints.', body: dataSchema(v.array(listedEndpointSchema)) } },
    },
    'list-model-endpoints': {
      tag: 'Models',
      summary: 'List a model’s endpoints',
      description:
        'Returns a model with its endpoints in the format of OpenRouter’s API. To pin an endpoint, send its `tag` as the `model` of a submission. If `tag` is also the ID of the model, list it in `provider.only` as well.',
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
      description: 'Returns the providers that serve at least one model of this deployment.',
      answers: {
        200: {
          says: 'The providers.',
          headers: ['cache-control'],
          body: dataSchema(
            v.array(
              v.object({
                name: v.pipe(v.string(), v.description('The same as `slug`')),
                slug: v.pipe(
                  v.string(),
                  v.description('Name of the provider in submissions and provider keys'),
                ),
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
