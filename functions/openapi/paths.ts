import * as v from 'valibot';
import { operations, type RouteId, routes } from '../endpoints/definitions.ts';
import type { PathOf, Route } from '../http/routes.ts';
import { KEY_HASH } from '../keys/key-format.ts';
import { INTERVALS } from '../money/period.ts';
import { VIDEO_ID } from '../videos/video-id.ts';
import { EVENT_ID } from '../webhooks/events/event.ts';
import { examples } from './examples.ts';
import { headerReferences } from './headers.ts';
import { jsonSchema } from './json-schema.ts';
import type { OpenaiOperation, Operation, SuccessResponse } from './operation.ts';
import { REFUSALS, rateHeaders, refusalsOf } from './refusals.ts';

/** Every path, with an operation for each of its routes. */
export function paths() {
  const items: Record<string, Record<string, unknown>> = {};
  const described: Readonly<Record<string, Operation>> = operations();
  for (const [id, route] of Object.entries<Route>(routes)) {
    const operation = described[id];
    if (operation === undefined) throw new Error(`${id} has no operation in its definition`);
    const item = {
      ...items[route.path],
      [route.method.toLowerCase()]: operationObject(id, route, operation),
    };
    items[route.path] = item;
  }
  return items;
}

const SECURITY = {
  public: [],
  key: [{ apiKey: [] }, { keyHeader: [] }],
  management: [{ managementKey: [] }, { keyHeader: [] }],
} as const;

const operationIdOf = (routeId: string): string =>
  routeId.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

function operationObject(id: string, route: Route, operation: Operation) {
  const { tag, summary, description } = operation;
  const parameters = parametersOf(route, operation);
  const request = requestBody(id, route, operation);
  return {
    operationId: operationIdOf(id),
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: SECURITY[route.access],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(request === undefined ? {} : { requestBody: request }),
    responses: {
      ...successes(id, route, operation),
      ...Object.fromEntries(
        refusalsOf(route, operation).map((status) => [
          status,
          { $ref: `#/components/responses/${REFUSALS[status].name}` },
        ]),
      ),
    },
    ...(operation.openai === undefined ? {} : openaiExtension(operation.openai)),
  };
}

function requestBody(id: string, { method }: Route, { body, form }: Operation) {
  if (body !== undefined) {
    const example = examples.operations[id]?.request;
    // A POST without required fields needs no body.
    const required = method !== 'POST' || !v.is(body, {});
    return { required, content: { 'application/json': { schema: jsonSchema(body), example } } };
  }
  return form && { required: true, content: { 'multipart/form-data': { schema: jsonSchema(form) } } };
}

function successes(id: string, route: Route, { answers }: Operation) {
  return Object.fromEntries(
    Object.entries<SuccessResponse>(answers).map(([status, { says, body, headers = [] }]) => [
      status,
      {
        description: says,
        headers: headerReferences(['x-request-id', 'x-genway-warning', ...rateHeaders(route), ...headers]),
        ...(body === undefined ? {} : { content: content(body, examples.operations[id]?.answers[status]) }),
      },
    ]),
  );
}

function content(body: NonNullable<SuccessResponse['body']>, example: unknown) {
  const byType: Readonly<Record<string, v.GenericSchema>> = isSchema(body)
    ? { 'application/json': body }
    : body;
  return Object.fromEntries(
    Object.entries(byType).map(([type, schema]) => [
      type,
      {
        schema: jsonSchema(schema),
        ...(type === 'application/json' && example !== undefined ? { example } : {}),
      },
    ]),
  );
}

const isSchema = (body: NonNullable<SuccessResponse['body']>): body is v.GenericSchema =>
  'kind' in body && body.kind === 'schema';

const contentOf = (schemas: Readonly<Record<string, v.GenericSchema>>) =>
  Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema: jsonSchema(schema) }]));

/** An extension of OpenAPI, which cannot say which client calls. Other readers should see one kind of answer only. */
const openaiExtension = ({ body, answers }: OpenaiOperation) => ({
  'x-openai-client': {
    ...(body === undefined ? {} : { requestBody: { content: contentOf(body) } }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, schema]) => [
        status,
        { content: contentOf({ 'application/json': schema }) },
      ]),
    ),
  },
});

type PathName = { [Id in RouteId]: keyof PathOf<(typeof routes)[Id]> }[RouteId];

/** What the parameters in paths stand for. */
const pathParameters: Readonly<Record<PathName, v.GenericSchema>> = {
  file: v.pipe(
    v.string(),
    v.description('ID of the file: `gw_file_…` or, with `provider`, the provider’s ID of the file'),
  ),
  upload: v.pipe(v.string(), v.description('ID of the upload: `gw_upload_…`')),
  video: v.pipe(v.string(), v.regex(VIDEO_ID), v.description('ID of the job (`vid_…`)')),
  workspace: v.pipe(v.string(), v.description('ID (a UUID) or slug of the workspace')),
  approval: v.pipe(v.string(), v.description('ID of the approval: `apr_…`')),
  hash: v.pipe(v.string(), v.regex(KEY_HASH), v.description('Hash of the key')),
  id: v.pipe(v.string(), v.uuid(), v.description('ID of the provider key')),
  guardrail: v.pipe(v.string(), v.uuid(), v.description('ID of the guardrail')),
  destination: v.pipe(
    v.string(),
    v.uuid(),
    v.description('ID of the destination, which is the ID of its workspace'),
  ),
  interval: v.pipe(v.picklist(INTERVALS), v.description('Interval of the budget')),
  provider: v.pipe(v.string(), v.description('First part of the endpoint ID')),
  name: v.pipe(v.string(), v.description('Second part of the endpoint ID')),
  author: v.pipe(v.string(), v.description('First part of the model ID')),
  slug: v.pipe(v.string(), v.description('Second part of the model ID')),
  asset: v.pipe(v.string(), v.description('Name of a file of the reference page, such as `docs.css`')),
  token: v.pipe(v.string(), v.description('Token that the deployment signed for the submission')),
  delivery: v.pipe(
    v.string(),
    v.regex(EVENT_ID),
    v.description('`id` of the event in the list of deliveries'),
  ),
};

const idempotencyKey = v.pipe(
  v.string(),
  v.regex(/^[!-~]{1,255}$/),
  v.description(
    'Unique value for this request, valid for a day. Repeating an accepted request with the same value and body returns the original response.',
  ),
);

/** What an operation takes in its path, its query and its headers. */
function parametersOf({ path }: Route, operation: Operation) {
  const { query = {}, headers = {}, idempotencyKey: key } = operation;
  const inPath: Readonly<Record<string, v.GenericSchema>> = { ...pathParameters, ...operation.path };
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return [
    ...names.map((name) => parameter('path', name, inPath[name] ?? v.string(), true)),
    ...Object.entries(query).flatMap(([name, entry]) => optionalParameter('query', name, entry)),
    ...Object.entries(headers).flatMap(([name, entry]) => optionalParameter('header', name, entry)),
    ...(key === undefined
      ? []
      : [parameter('header', 'Idempotency-Key', idempotencyKey, key === 'required')]),
  ];
}

function parameter(where: string, name: string, schema: v.GenericSchema, required: boolean) {
  const { description, ...shown } = jsonSchema(schema);
  return {
    name,
    in: where,
    ...(description === undefined ? {} : { description }),
    ...(required ? { required } : {}),
    schema: withTypedDefault(shown),
  };
}

/** Parameters that exist only to be refused with a good message are left out. */
function optionalParameter(where: string, name: string, entry: v.ObjectEntries[string]) {
  if (!isGeneric(entry)) return [];
  const wrapped = 'wrapped' in entry ? entry.wrapped : entry;
  if (typeof wrapped === 'object' && wrapped !== null && 'type' in wrapped && wrapped.type === 'never')
    return [];
  return [parameter(where, name, entry, !('wrapped' in entry))];
}

const isGeneric = (entry: v.ObjectEntries[string]): entry is v.GenericSchema => !entry.async;

/** In a query everything is text, even a default. */
function withTypedDefault(schema: ReturnType<typeof jsonSchema>) {
  return schema.type === 'integer' && typeof schema.default === 'string'
    ? { ...schema, default: Number(schema.default) }
    : schema;
}
