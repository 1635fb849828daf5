import type * as v from 'valibot';
import { isObject } from './json-body.ts';
import { elementsOf, fieldsOf, mayBeAbsent } from './schema-fields.ts';
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
