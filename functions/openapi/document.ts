import { HEADERS, headerComponent } from './headers.ts';
import { INTRODUCTION } from './introduction.ts';
import { namedSchemas } from './json-schema.ts';
import { TAGS } from './operation.ts';
import { paths } from './paths.ts';
import { refusalComponents } from './refusal-components.ts';
import { webhooks } from './webhook-items.ts';

/** The version of the document: it follows what the API takes and answers, not the program. */
const VERSION = '1.0.0';

/** The description of the API in OpenAPI 3.1, made from `routes` and from the schemas that parse requests. */
export function openApiDocument() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Genway',
      version: VERSION,
      summary: 'A gateway for generative models: files, workspaces and videos.',
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1', description: 'This deployment' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: paths(),
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, or a management key.' },
        managementKey: { type: 'http', scheme: 'bearer', description: 'A management key.' },
        keyHeader: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'The same key, where there is no `Authorization`.',
        },
      },
      schemas: namedSchemas(),
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, header]) => [headerComponent(name), header]),
      ),
      responses: refusalComponents(),
    },
  };
}
