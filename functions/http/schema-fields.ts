import * as v from 'valibot';
import { isObject } from './json-body.ts';
import { unknownNames, type Warn } from './unknown-names.ts';

/**
 * A body as its schema may judge it. Null in a field that may be absent counts as absent: clients that write every
 * field mean the same by both. An unknown field has no effect, and `warn` hears of it.
 */
export function readFields(schema: v.GenericSchema, body: unknown, warn: Warn): unknown {
  const tell = unknownNames('field', warn);

  function read(part: v.GenericSchema | undefined, value: unknown, path: string): unknown {
    if (part === undefined) return value;
    if (Array.isArray(value)) {
      const element = elementsOf(part);
      return element === undefined ? value : value.map((each, i) => read(element, each, `${path}${i}.`));
    }
    return isObject(value) ? readObject(part, value, path) : value;
  }

  function readObject(part: v.GenericSchema, value: Record<string, unknown>, path: string): unknown {
    const fields = fieldsOf(part, value);
    if (fields === undefined) return value;
    const known = Object.keys(fields);
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
        if (field === undefined) tell(name, known, path);
        else if (inner === null && mayBeAbsent(field)) return [];
        return [[name, read(field, inner, `${path}${name}.`)]];
      }),
    );
  }

  return read(schema, body, '');
}

const isSchema = (value: unknown): value is v.GenericSchema => isObject(value) && value.kind === 'schema';

/** The schemas that a value passes in turn, without those that only allow it to be absent or null. */
function partsOf(schema: v.GenericSchema): v.GenericSchema[] {
  const wrapped: unknown = Reflect.get(schema, 'wrapped');
  if (isSchema(wrapped)) return partsOf(wrapped);
  const pipe: unknown = Reflect.get(schema, 'pipe');
  return Array.isArray(pipe) ? pipe.filter(isSchema).flatMap(partsOf) : [schema];
}

/** The fields that an object may have; undefined where the schema does not list them. */
function fieldsOf(
  schema: v.GenericSchema,
  value: Record<string, unknown>,
): Readonly<Record<string, v.GenericSchema>> | undefined {
  for (const part of partsOf(schema)) {
    const entries: unknown = Reflect.get(chosen(part, value), 'entries');
    if (isObject(entries)) {
      return Object.fromEntries(
        Object.entries(entries).flatMap(([name, field]) => (isSchema(field) ? [[name, field]] : [])),
      );
    }
  }
  return undefined;
}

/** The option of a variant that the value selects; any other schema itself. */
function chosen(schema: v.GenericSchema, value: Record<string, unknown>): v.GenericSchema {
  const key: unknown = Reflect.get(schema, 'key');
  const options: unknown = Reflect.get(schema, 'options');
  if (schema.type !== 'variant' || typeof key !== 'string' || !Array.isArray(options)) return schema;
  const isNamed = (option: v.GenericSchema) => {
    const field = fieldsOf(option, value)?.[key];
    return field !== undefined && v.is(field, value[key]);
  };
  return options.filter(isSchema).find(isNamed) ?? schema;
}

function elementsOf(schema: v.GenericSchema): v.GenericSchema | undefined {
  return partsOf(schema)
    .map((part): unknown => Reflect.get(part, 'item'))
    .find(isSchema);
}

/** Whether null means the same as leaving the field out. */
const mayBeAbsent = (field: v.GenericSchema): boolean =>
  (field.type === 'optional' || field.type === 'exact_optional') && !v.is(field, null);

/** All accepted values, at a place where only listed values are accepted. */
export function choicesAt(
  schema: v.GenericSchema,
  input: unknown,
  path: Path,
): readonly unknown[] | undefined {
  const place = placeAt(schema, input, path);
  const list = place && partsOf(place.schema).find(({ type }) => type === 'picklist');
  const options: unknown = list && Reflect.get(list, 'options');
  return Array.isArray(options) ? options : undefined;
}

/** The names of the fields that an object at a place may have. */
export function namesAt(schema: v.GenericSchema, input: unknown, path: Path): string[] {
  const place = placeAt(schema, input, path);
  return Object.keys((place && isObject(place.value) && fieldsOf(place.schema, place.value)) || {});
}

type Path = readonly unknown[];

interface Place {
  readonly schema: v.GenericSchema;
  readonly value: unknown;
}

function placeAt(schema: v.GenericSchema, value: unknown, [key, ...rest]: Path): Place | undefined {
  if (key === undefined) return { schema, value };
  const inner =
    typeof key === 'number'
      ? elementsOf(schema)
      : isObject(value)
        ? fieldsOf(schema, value)?.[String(key)]
        : undefined;
  const within = isObject(value) || Array.isArray(value) ? Reflect.get(value, String(key)) : undefined;
  return inner && placeAt(inner, within, rest);
}
