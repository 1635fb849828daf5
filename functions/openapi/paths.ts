import * as v from 'valibot';
import { operations, routes } from '../endpoints/definitions.ts';
import type { Route } from '../http/routes.ts';
import { examples } from './examples.ts';
import { headerReferences } from './headers.ts';
import { jsonSchema } from './json-schema.ts';
import type { OpenaiOperation, Operation, SuccessResponse } from './operation.ts';
import { parametersOf } from './parameters.ts';
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
