import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { shownDestinationSchema } from '../broadcast/shown-destination.ts';
import { uploadPartSchema, uploadSchema } from '../files/parts/upload.ts';
import * as files from '../files/shown-file.ts';
import { errorSchema } from '../http/answer-schemas.ts';
import { isObject } from '../http/json-body.ts';
import { shownCurrentKeySchema, shownKeySchema } from '../keys/shown-key.ts';
import { shownCreditsSchema } from '../money/credits.ts';
import { shownProviderKeySchema } from '../provider-keys/shown-provider-key.ts';
import { listedEndpointSchema } from '../videos/catalogue/listed-model.ts';
import { shownModelSchema } from '../videos/catalogue/model-view.ts';
import { videoRequestSchema } from '../videos/catalogue/video-request.ts';
import { shownJobSchema } from '../videos/jobs/job-view.ts';
import { shownDeliverySchema } from '../webhooks/events/shown-delivery.ts';
import { shownWebhookSchema } from '../webhooks/settings/shown-webhook.ts';
import { shownBudgetSchema } from '../workspaces/budget.ts';
import { shownWorkspaceSchema } from '../workspaces/shown-workspace.ts';
import { newWorkspaceSchema } from '../workspaces/workspace.ts';
import { componentOf, EVENT_SCHEMAS } from './events.ts';
import { ALWAYS_NULL, FIELD_TEXTS } from './field-texts.ts';

/** The events by the names of their components: `VideoGenerationCompletedEvent`. */
const EVENTS = Object.fromEntries(
  Object.entries(EVENT_SCHEMAS).map(([type, schema]) => [componentOf(type), schema]),
);

/** Schemas with a name of their own in the document. All others refer to them. */
const NAMED = {
  ErrorBody: errorSchema,
  FileObject: files.fileSchema,
  StoredFile: files.nativeFileSchema,
  ProviderAFile: files.providerAFileSchema,
  ProviderBFile: files.providerBFileSchema,
  FilePage: files.fileListSchema,
  StoredFilePage: files.nativeFilePageSchema,
  ProviderAFilePage: files.providerAFilePageSchema,
  ProviderBFilePage: files.providerBFilePageSchema,
  DeletedFile: files.deletedFileSchema,
  DeletedStoredFile: files.deletedNativeFileSchema,
  DeletedProviderAFile: files.deletedProviderAFileSchema,
  Upload: uploadSchema,
  UploadPart: uploadPartSchema,
  VideoRequest: videoRequestSchema,
  Video: shownJobSchema,
  VideoModel: shownModelSchema,
  ModelEndpoint: listedEndpointSchema,
  WorkspaceRequest: newWorkspaceSchema,
  Workspace: shownWorkspaceSchema,
  Budget: shownBudgetSchema,
  Webhook: shownWebhookSchema,
  Delivery: shownDeliverySchema,
  Key: shownKeySchema,
  CurrentKey: shownCurrentKeySchema,
  ProviderKey: shownProviderKeySchema,
  Destination: shownDestinationSchema,
  Credits: shownCreditsSchema,
  ...EVENTS,
};

type Config = NonNullable<Parameters<typeof toJsonSchema>[1]>;

const CONFIG: Config = {
  target: 'draft-2020-12',
  // The schemas of what callers send: before our transformations.
  typeMode: 'input',
  // Names of types, and rules in code. Rules that JSON Schema can also express have metadata beside them.
  ignoreActions: ['brand', 'check', 'partial_check', 'raw_check', 'finite'],
  overrideSchema: ({ valibotSchema }) => overridden(valibotSchema),
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
};

const REFERENCES = new Map<v.GenericSchema, string>(
  Object.entries(NAMED).map(([name, schema]) => [schema, `#/components/schemas/${name}`]),
);

/** The library's own references would convert all named schemas again for each schema. */
const REFERRING: Config = {
  ...CONFIG,
  overrideSchema: ({ valibotSchema }) => {
    const $ref = REFERENCES.get(valibotSchema);
    return $ref === undefined ? overridden(valibotSchema) : { $ref };
  },
};

/** A schema of the document, which refers to `namedSchemas`. */
export const jsonSchema = (schema: v.GenericSchema) => withTexts({ ...converted(schema, REFERRING) });

function converted(schema: v.GenericSchema, config: Config): JsonSchema {
  const { $schema: _, $defs: _defs, ...shown } = toJsonSchema(schema, config);
  return forGenerators(shown);
}

export const namedSchemas = () =>
  Object.fromEntries(
    Object.entries(toJsonSchemaDefs(NAMED, CONFIG)).map(([name, schema]) => [
      name,
      namedWithTexts(name, { ...forGenerators(schema) }),
    ]),
  );

/**
 * The forms that every generator of clients can read: a type beside each `const` and `enum`, `type: [string, null]` for
 * an option between the two, and no default that is an object, an array or null.
 */
function forGenerators(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (name, value: unknown) => {
    // Nothing is lost: such a default says the same as a field that is absent.
    if (name === 'default' && typeof value === 'object') return undefined;
    return isObject(value) ? withNull(withType(value)) : value;
  });
}

/** The generator for Java writes the word for a truth that never varies as text, so it is described as any truth. */
function withType({ const: only, ...schema }: Readonly<Record<string, unknown>>) {
  const [type, ...others] = new Set(list(only ?? schema.enum).map((each) => typeof each));
  if (type === undefined || schema.type !== undefined || others.length > 0) {
    return only === undefined ? schema : { ...schema, const: only };
  }
  return type === 'boolean' || only === undefined ? { type, ...schema } : { type, ...schema, const: only };
}

function withNull(schema: Readonly<Record<string, unknown>>) {
  const { anyOf, ...rest } = schema;
  const [option, none, ...others] = list(anyOf);
  const isNullable = isObject(none) && none.type === 'null' && others.length === 0;
  if (!isNullable || !isObject(option) || typeof option.type !== 'string') return schema;
  const { const: only, enum: choices = only, ...shown } = option;
  return {
    ...shown,
    ...rest,
    type: [option.type, 'null'],
    ...(choices === undefined ? {} : { enum: [...list(choices), null] }),
  };
}

const list = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** A schema that the value selects, as in `provider.options`, stands for any JSON. */
function overridden(schema: v.GenericSchema): JsonSchema | undefined {
  if (schema.type === 'lazy') return {};
  // Generators of clients know no property that is never anything but null.
  if (schema.type === 'null') return { description: ALWAYS_NULL, type: ['string', 'null'] };
  if (isNamedRecord(schema)) {
    const { key, value } = schema;
    return {
      type: 'object',
      propertyNames: converted(key, REFERRING),
      additionalProperties: converted(value, REFERRING),
    };
  }
  if (schema.type !== 'custom') return undefined;
  return 'described' in schema && isSchema(schema.described)
    ? converted(schema.described, CONFIG)
    : undefined;
}

interface NamedRecord {
  readonly key: v.GenericSchema;
  readonly value: v.GenericSchema;
}

/** A record whose names come from a list, which the library cannot convert. */
const isNamedRecord = (schema: object): schema is NamedRecord =>
  'type' in schema &&
  schema.type === 'record' &&
  'key' in schema &&
  typeof schema.key === 'object' &&
  schema.key !== null &&
  'type' in schema.key &&
  schema.key.type === 'picklist';

const isSchema = (item: unknown): item is v.GenericSchema =>
  typeof item === 'object' && item !== null && 'kind' in item && item.kind === 'schema';

type Schema = Readonly<Record<string, unknown>>;

/** A schema with a name of its own. */
const namedWithTexts = (name: string, schema: Schema): Schema =>
  withTexts({ description: FIELD_TEXTS[name], ...schema }, name);

/** A schema whose fields all say what they mean, in sentences. What a reference refers to says it for the reference. */
const withTexts = (schema: Schema, parent = ''): Schema =>
  Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'description' && typeof value === 'string') return [keyword, sentence(value)];
      if (keyword === 'properties' && isObject(value)) return [keyword, described(value, parent)];
      return [
        keyword,
        Array.isArray(value) ? value.map((each) => inner(each, parent)) : inner(value, parent),
      ];
    }),
  );

const inner = (value: unknown, parent: string): unknown =>
  isObject(value) ? withTexts(value, parent) : value;

const described = (fields: Schema, parent: string): Schema =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const isList = isObject(field) && field.type === 'array';
      const text =
        FIELD_TEXTS[`${parent}.${name}`] ?? FIELD_TEXTS[isList ? `${name}[]` : name] ?? FIELD_TEXTS[name];
      const needsText = isObject(field) && field.$ref === undefined && text !== undefined;
      return [name, inner(needsText ? { description: text, ...field } : field, name)];
    }),
  );

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
