import { errorSchema } from '../http/answer-schemas.ts';
import { TEST_EVENT } from '../webhooks/events/event.ts';
import { componentOf, EVENT_HEADERS, EVENT_SCHEMAS, JOB_EVENTS, OPTIONAL_EVENT_HEADERS } from './events.ts';
import { examples } from './examples.ts';
import { HEADERS, headerComponent, headerReferences } from './headers.ts';
import { jsonSchema, namedSchemas } from './json-schema.ts';
import { TAGS } from './operation.ts';
import { paths } from './paths.ts';
import { REFUSALS } from './refusals.ts';

/** The version of the document: it follows what the API takes and answers, not the program. */
const VERSION = '1.0.0';

/** The first page of the reference, in Markdown. */
const INTRODUCTION = `
Upload files, create videos with the models of many providers, poll the jobs or receive a signed webhook, and download the results.

**Keys.** Send a key as \`Authorization: Bearer KEY\`, or as \`x-api-key: KEY\`. API keys (\`sk-gw-v1-…\`) act in their own workspace.
Management keys (\`mk-gw-v1-…\`) act in any workspace in their scope. They also manage keys, workspaces and spending limits.

**Workspaces.** \`workspace_id\` accepts the ID or the slug of a workspace, except in \`GET /activity\`, which needs the ID. Only a management key may name another workspace.

**Errors.** All error bodies of the API have the same format. \`error.code\` is the HTTP status. \`error.message\` says what is wrong and often how to correct it.
\`error.metadata.error_type\` is a stable, machine-readable code. If a field is invalid, \`error.metadata.path\` names it.

**Bodies.** A JSON body is one object in UTF-8, nested at most 32 levels deep and at most 1 MiB in size (4 MiB where it describes a video).
Genway ignores unknown fields and query parameters, and names up to five of each in \`x-genway-warning\`. With \`x-genway-strict: true\`, Genway
refuses them with a 400. If the deployment sets \`strict\`, Genway refuses them by default. This default does not apply to
operations that need no key, or to requests from LiteLLM or the OpenAI and Anthropic client libraries. With \`x-genway-strict: false\`, Genway only warns. Objects with \`additionalProperties: false\` never accept
unknown fields. \`null\` in an optional field counts as omitting it, unless its schema allows \`null\`.

**Rate limits.** Each key has limits per minute for uploads, submissions, management changes and other requests. Response headers
show how many requests remain. A 429 says when to retry.

**Idempotency.** Some operations accept the header \`Idempotency-Key\`. Within a day, repeating an accepted request with the same value
and body has no further effect and returns the original response.

**Every path.** \`HEAD\` works wherever \`GET\` does. \`OPTIONS\` requests are answered as CORS preflight requests. An unknown path returns a 404. An
unsupported method returns a 405 with \`Allow\`. Every response of an operation has an \`x-request-id\`: yours if it consists of 1 to 128 visible ASCII
characters, otherwise a new one. API Gateway and the firewall may refuse a request with 400, 403, 413, 415 or 429 before any operation
sees it. These errors have the format described above, except those from a custom firewall (\`webAclArn\`).
`
  .trim()
  // A paragraph becomes one line, whatever the width of this file.
  .replaceAll(/(?<!\n)\n(?!\n)/g, ' ');

const SECURITY_SCHEMES = {
  apiKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, a management key or the token of a session.',
  },
  managementKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'A management key, or the token of a management key’s session.',
  },
  keyHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'The key or token, if the request has no `Authorization`.',
  },
} as const;

/** The description of the API in OpenAPI 3.1, made from `routes` and from the schemas that parse requests. */
export function openApiDocument() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Genway',
      version: VERSION,
      summary: 'A gateway for generative models, with one API for files, workspaces and videos.',
      contact: { name: 'Genway' },
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1', description: 'This deployment' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: paths(),
    webhooks: webhooks(),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: namedSchemas(),
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, header]) => [headerComponent(name), header]),
      ),
      responses: refusalComponents(),
      pathItems: webhookItems(),
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

/**
 * The events that this service sends, by type. Components, to which `webhooks` refers: some generators of clients would
 * make operations of them, which do not compile.
 */
function webhookItems() {
  const ends = Object.entries(JOB_EVENTS).map(([type, says]) => [componentOf(type), item(type, says)]);
  const test = item(TEST_EVENT, 'A test event was requested.');
  return Object.fromEntries([...ends, [componentOf(TEST_EVENT), test]]);
}

export const webhooks = () =>
  Object.fromEntries(
    Object.keys(EVENT_SCHEMAS).map((type) => [type, { $ref: `#/components/pathItems/${componentOf(type)}` }]),
  );

function item(type: string, says: string) {
  const schema = EVENT_SCHEMAS[type];
  if (schema === undefined) throw new Error(`${type} has no schema`);
  return {
    post: {
      operationId: type.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase()),
      summary: `Receive ${type}`,
      description: says,
      tags: ['Webhooks'],
      security: [],
      parameters: [...headers(EVENT_HEADERS, true), ...headers(OPTIONAL_EVENT_HEADERS, false)],
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchema(schema), example: examples.events[type] } },
      },
      responses: {
        '2XX': {
          description:
            'The event counts as delivered if the response arrives within 15 seconds. After most other outcomes, Genway tries again, with up to 11 attempts in all. A response with another status and the header `webhook-delivery: abort-message` ends the attempts.',
        },
        '410': {
          description:
            'Genway stops delivering this event. If the event has no callback URL of its own, Genway also disables deliveries to the default callback URL.',
        },
      },
    },
  };
}

const headers = (described: Readonly<Record<string, string>>, required: boolean) =>
  Object.entries(described).map(([name, description]) => ({
    name,
    in: 'header',
    required,
    description,
    schema: { type: 'string' },
  }));
