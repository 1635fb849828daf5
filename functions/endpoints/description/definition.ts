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
      summary: 'Get the API description as JSON',
      description: 'Returns this OpenAPI document. No key is needed.',
      answers: {
        200: { says: 'The OpenAPI 3.1 document.', body: document, headers: ['cache-control'] },
      },
    },
    'get-openapi-yaml': {
      tag: 'Description',
      summary: 'Get the API description as YAML',
      description: 'Returns the same document as `/openapi.json`, as YAML. No key is needed.',
      answers: {
        200: {
          says: 'The OpenAPI 3.1 document.',
          body: { 'application/yaml': document },
          headers: ['cache-control'],
        },
      },
    },
    'get-docs': {
      tag: 'Description',
      summary: 'Get the reference page',
      description: 'Returns the reference as a page, with samples in curl, Python and TypeScript.',
      answers: { 200: { says: 'The page.', body: { 'text/html': text }, headers: ['cache-control'] } },
    },
    'get-docs-asset': {
      tag: 'Description',
      summary: 'Get a file of the reference page',
      description: 'Returns a script, a style sheet or a guide of the reference page.',
      answers: {
        200: {
          says: 'The file.',
          body: { 'text/javascript': text, 'text/css': text, 'text/html': text },
          headers: ['cache-control'],
        },
      },
      refuses: [404],
    },
  } as const satisfies Operations<typeof routes>;
};
