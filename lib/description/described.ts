import * as v from 'valibot';
import { openApiJson } from '../../functions/openapi/text.ts';

/** What the reference shows of a schema. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[] | undefined;
  readonly format?: string | undefined;
  readonly description?: string | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly required?: readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly additionalProperties?: Schema | boolean | undefined;
  readonly items?: Schema | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly allOf?: readonly Schema[] | undefined;
}

const number = v.optional(v.number());
const schema: v.GenericSchema<Schema> = v.lazy(() =>
  v.object({
    $ref: v.optional(v.string()),
    type: v.optional(v.union([v.string(), v.array(v.string())])),
    format: v.optional(v.string()),
    description: v.optional(v.string()),
    enum: v.optional(v.array(v.unknown())),
    const: v.optional(v.unknown()),
    default: v.optional(v.unknown()),
    ...{ minimum: number, maximum: number, minLength: number, maxLength: number, maxItems: number },
    required: v.optional(v.array(v.string())),
    properties: v.optional(v.record(v.string(), schema)),
    additionalProperties: v.optional(v.union([v.boolean(), schema])),
    items: v.optional(schema),
    anyOf: v.optional(v.array(schema)),
    oneOf: v.optional(v.array(schema)),
    allOf: v.optional(v.array(schema)),
  }),
);

const content = v.record(
  v.string(),
  v.object({ schema: v.optional(schema), example: v.optional(v.unknown()) }),
);
const response = v.object({
  $ref: v.optional(v.string()),
  description: v.optional(v.string(), ''),
  content: v.optional(content, {}),
});
const operation = v.object({
  operationId: v.string(),
  tags: v.tuple([v.string()]),
  summary: v.string(),
  description: v.optional(v.string(), ''),
  security: v.optional(v.array(v.record(v.string(), v.unknown())), []),
  parameters: v.optional(
    v.array(
      v.object({
        name: v.string(),
        in: v.picklist(['path', 'query', 'header']),
        required: v.optional(v.boolean(), false),
        description: v.optional(v.string()),
        example: v.optional(v.unknown()),
        schema,
      }),
    ),
    [],
  ),
  requestBody: v.optional(v.object({ content })),
  responses: v.record(v.string(), response),
});

const document = v.object({
  info: v.object({ title: v.string(), description: v.string() }),
  tags: v.array(v.object({ name: v.string(), description: v.string() })),
  paths: v.record(v.string(), v.record(v.string(), operation)),
  components: v.object({
    schemas: v.record(v.string(), schema),
    responses: v.record(v.string(), response),
  }),
});

export type Described = v.InferOutput<typeof operation> & { readonly method: string; readonly path: string };
export type Components = v.InferOutput<typeof document>['components'];

/** The description as the reference reads it. */
export function readDescription() {
  const { paths, ...rest } = v.parse(document, JSON.parse(openApiJson()));
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(
      ([method, each]): Described => ({ ...each, path, method: method.toUpperCase() }),
    ),
  );
  return { ...rest, operations };
}

/** `Video` of `#/components/schemas/Video`. */
export const nameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
