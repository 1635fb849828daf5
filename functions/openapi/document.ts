import { errorSchema } from '../http/answer-schemas.ts';
import { examples } from './examples.ts';
import { HEADERS, headerComponent, headerReferences } from './headers.ts';
import { jsonSchema, namedSchemas } from './json-schema.ts';
import { TAGS } from './operation.ts';
import { paths } from './paths.ts';
import { REFUSALS } from './refusals.ts';
import { webhooks } from './webhook-items.ts';

/** The version of the document: it follows what the API takes and answers, not the program. */
const VERSION = '1.0.0';

/** The first page of the reference, in Markdown. */
const INTRODUCTION = `
Upload files, submit videos to the models of many providers, poll the jobs or get a signed webhook, and download the results.

**Keys.** Send a key as \`Authorization: Bearer KEY\`, or as \`x-api-key: KEY\`. API keys (\`sk-gw-v1-…\`) act in their own workspace;
management keys (\`mk-gw-v1-…\`) may do all that API keys do, in any workspace, and manage keys, workspaces and money.

**Workspaces.** \`workspace_id\` takes the id or the slug of a workspace; a management key may name any.

**Errors.** Every error has one body. \`error.code\` is the HTTP status, \`error.message\` says what is wrong and what would be right, and
\`error.metadata.error_type\` is a word for programs. Where a field is at fault, \`error.metadata.path\` names it.

**Bodies.** JSON is one object in UTF-8 of at most 1 MiB (\`POST /videos\` and its estimate: 4 MiB) and 32 levels. Fields that are not in
this description are ignored, and so are query parameters; the header \`x-genway-warning\` names them. On a strict stage, or with \`x-genway-strict: true\`, each is a 400 that names it, before anything is spent; \`x-genway-strict: false\` asks for the warning. \`null\` in a field that may be left out means that it is left out.

**Rates.** Each key has so many requests a minute for uploads, submits, reads and changes. Answers say how many are left; a 429 says when
to try again.

**Repeating a request.** \`POST /videos\`, \`POST /workspaces\` and \`POST /credits\` take an \`Idempotency-Key\`: send the same request again with
the same key, and it has one effect and one answer.

**Every path.** \`HEAD\` answers where \`GET\` does. \`OPTIONS\` answers a browser’s preflight. A path that is not here is a 404, a method that is not here a
405 with \`Allow\`. Every answer has an \`x-request-id\`, which is yours where you sent one. What stands before the service may refuse a
request with 403, 413 or 429 in the same body before any operation sees it.
`
  .trim()
  // A paragraph becomes one line, whatever the width of this file.
  .replaceAll(/(?<!\n)\n(?!\n)/g, ' ');

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

/** One answer for each status of an error, to which all operations refer. */
function refusalComponents() {
  return Object.fromEntries(
    Object.entries(REFUSALS).map(([status, { name, says, headers = [] }]) => [
      name,
      {
        description: says,
        headers: headerReferences(['x-request-id', 'x-genway-warning', ...headers]),
        content: {
          'application/json': { schema: jsonSchema(errorSchema), example: examples.refusals[status] },
        },
      },
    ]),
  );
}
