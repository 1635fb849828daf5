import * as v from 'valibot';
import { open, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'get-openapi-json': open('/openapi.json'),
  'get-openapi-yaml': open('/openapi.yaml'),
  'get-docs': open('/docs'),
  'get-docs-asset': open('/docs/{asset}'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () => {
  const text = v.string();
  const document = v.looseObject({ openapi: v.string() });
  return {
    'get-openapi-json': {
      tag: 'Description',
      summary: 'Read this description as JSON',
      answers: {
        200: { says: 'OpenAPI 3.1.', body: document, headers: ['cache-control'] },
      },
    },
    'get-openapi-yaml': {
      tag: 'Description',
      summary: 'Read this description as YAML',
      answers: {
        200: { says: 'OpenAPI 3.1.', body: { 'application/yaml': document }, headers: ['cache-control'] },
      },
    },
    'get-docs': {
      tag: 'Description',
      summary: 'Browse this description, and try it',
      answers: { 200: { says: 'A page.', body: { 'text/html': text }, headers: ['cache-control'] } },
    },
    'get-docs-asset': {
      tag: 'Description',
      summary: 'Read a script or a style of that page',
      answers: {
        200: {
          says: 'The script or the style.',
          body: { 'text/javascript': text, 'text/css': text, 'text/html': text },
          headers: ['cache-control'],
        },
      },
      refuses: [404],
    },
  } as const satisfies Operations<typeof routes>;
};
