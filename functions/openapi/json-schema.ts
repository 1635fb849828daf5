import { type JsonSchema, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { nativeFileSchema, providerAFileSchema, providerBFileSchema } from '../files/shown-file.ts';
import { errorSchema } from '../http/answer-schemas.ts';
import { isObject } from '../http/json-body.ts';
import { shownCurrentKeySchema, shownKeySchema } from '../keys/shown-key.ts';
import { shownCreditsSchema } from '../money/credits.ts';
import { shownProviderKeySchema } from '../provider-keys/shown-provider-key.ts';
import { shownModelSchema } from '../videos/catalogue/model-view.ts';
import { videoRequestSchema } from '../videos/catalogue/video-request.ts';
import { shownJobSchema } from '../videos/jobs/job-view.ts';
import { shownDeliverySchema } from '../webhooks/events/shown-delivery.ts';
import { shownWebhookSchema } from '../webhooks/settings/shown-webhook.ts';
import { shownBudgetSchema } from '../workspaces/budget.ts';
import { shownWorkspaceSchema } from '../workspaces/shown-workspace.ts';
import { newWorkspaceSchema } from '../workspaces/workspace.ts';
import { componentOf, EVENT_SCHEMAS } from './events.ts';

/** The events by the names of their components: `VideoGenerationCompleted`. */
const EVENTS = Object.fromEntries(
  Object.entries(EVENT_SCHEMAS).map(([type, schema]) => [componentOf(type), schema]),
);

/** Schemas with a name of their own in the document. All others refer to them. */
const NAMED = {
  ErrorBody: errorSchema,
  StoredFile: nativeFileSchema,
  ProviderAFile: providerAFileSchema,
  ProviderBFile: providerBFileSchema,
  VideoRequest: videoRequestSchema,
  Video: shownJobSchema,
  VideoModel: shownModelSchema,
  NewWorkspace: newWorkspaceSchema,
  Workspace: shownWorkspaceSchema,
  Budget: shownBudgetSchema,
  Webhook: shownWebhookSchema,
  Delivery: shownDeliverySchema,
  Key: shownKeySchema,
  CurrentKey: shownCurrentKeySchema,
  ProviderKey: shownProviderKeySchema,
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
export const jsonSchema = (schema: v.GenericSchema): JsonSchema => converted(schema, REFERRING);

function converted(schema: v.GenericSchema, config: Config): JsonSchema {
  const { $schema: _, $defs: _defs, ...shown } = toJsonSchema(schema, config);
  return forGenerators(shown);
}

export const namedSchemas = (): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(toJsonSchemaDefs(NAMED, CONFIG)).map(([name, schema]) => [name, forGenerators(schema)]),
  );

/**
 * `type: [string, null]` for an option between the two, of which generators of clients make a type of its own, and no
 * default that is an object, an array or null, which they write as code that does not compile.
 */
function forGenerators(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (name, value: unknown) => {
    // Nothing is lost: such a default says the same as a field that is absent.
    if (name === 'default' && typeof value === 'object') return undefined;
    const { anyOf, ...rest } = isObject(value) ? value : {};
    const [option, none, ...others] = Array.isArray(anyOf) ? anyOf : [];
    const isNullable = isObject(none) && none.type === 'null' && others.length === 0;
    if (!isNullable || !isObject(option) || typeof option.type !== 'string') return value;
    const { enum: choices } = option;
    return {
      ...option,
      ...rest,
      type: [option.type, 'null'],
      ...(Array.isArray(choices) ? { enum: [...choices, null] } : {}),
    };
  });
}

/** A schema that the value selects, as in `provider.options`, stands for any JSON. */
function overridden(schema: v.GenericSchema): JsonSchema | undefined {
  if (schema.type === 'lazy') return {};
  // Generators of clients know no property that is never anything but null.
  if (schema.type === 'null') return { type: ['string', 'null'] };
  if (isNamedRecord(schema)) {
    const { key, value } = schema;
    return { type: 'object', propertyNames: jsonSchema(key), additionalProperties: jsonSchema(value) };
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
