import type * as v from 'valibot';
import { didYouMean } from './did-you-mean.ts';
import { isObject } from './json-body.ts';
import { elementsOf, fieldsOf, mayBeAbsent } from './schema-fields.ts';

/** The most warnings of one request: whoever needs more has misunderstood more than a name. */
const MOST_WARNINGS = 5;
const LONGEST_NAME = 64;

/**
 * A body as its schema may judge it. Null in a field that may be absent counts as absent: clients that write every
 * field mean the same by both. An unknown field has no effect, and `warn` hears of it.
 */
export function readFields(schema: v.GenericSchema, body: unknown, warn: (warning: string) => void): unknown {
  let warnings = 0;
  const tell = (path: string, known: readonly string[], name: string) => {
    if (++warnings <= MOST_WARNINGS)
      warn(`${path} is not a field of this operation${didYouMean(name, known)}`);
  };

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
        if (field === undefined) tell(`${path}${printable(name)}`, known, name);
        else if (inner === null && mayBeAbsent(field)) return [];
        return [[name, read(field, inner, `${path}${name}.`)]];
      }),
    );
  }

  return read(schema, body, '');
}

/** Callers choose the name, and a header takes only visible ASCII. */
const printable = (name: string): string => name.slice(0, LONGEST_NAME).replace(/[^ -~]/g, '?');
