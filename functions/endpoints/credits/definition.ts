import { dataSchema } from '../../http/answer-schemas.ts';
import { managedForAll, routesOf } from '../../http/routes.ts';
import { grantSchema, shownCreditsSchema } from '../../money/credits.ts';
import type { Operations } from '../../openapi/operation.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'get-credits': managedForAll('GET', '/credits', 'read'),
  'grant-credits': managedForAll('POST', '/credits', 'money'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () => {
  const credits = { says: 'The credits.', body: dataSchema(shownCreditsSchema) };
  return {
    'get-credits': {
      tag: 'Credits',
      summary: 'Get credits',
      description:
        'Returns the granted, reserved and remaining credits of the deployment, and the total cost of all jobs.',
      answers: { 200: credits },
    },
    'grant-credits': {
      tag: 'Credits',
      summary: 'Grant credits',
      description:
        'Adds to the credits of the deployment. Until the first grant, credits do not limit jobs. Repeating a grant with the same body and `Idempotency-Key` within 24 hours returns the original response.',
      idempotencyKey: 'required',
      body: grantSchema,
      answers: { 200: { ...credits, headers: ['idempotent-replayed'] } },
    },
  } as const satisfies Operations<typeof routes>;
};
