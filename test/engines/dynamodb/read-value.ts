import { formatDecimal, parseDecimal } from './decimal.ts';
import { ValidationFailed } from './errors.ts';
import { type Item, setOf, type Value } from './value.ts';

const DEEPEST = 32;

/** Converts a value from the wire to its canonical form. @throws ValidationFailed */
export function readValue(input: unknown, depth = 1): Value {
  if (depth > DEEPEST) throw new ValidationFailed('Nesting Levels have exceeded supported limits');
  const attribute = objectOf(input);
  const [type, another] = Object.keys(attribute);
  if (type === undefined || another !== undefined) {
    const found = type === undefined ? 'is empty' : 'has more than one datatypes set';
    throw new ValidationFailed(
      `Supplied AttributeValue ${found}, must contain exactly one of the supported datatypes`,
    );
  }
  return readTyped(type, attribute[type], depth);
}

function readTyped(type: string, content: unknown, depth: number): Value {
  switch (type) {
    case 'S':
      return { S: textOf(content) };
    case 'N':
      return { N: canonicalNumber(content) };
    case 'B':
      return { B: textOf(content) };
    case 'BOOL':
      return { BOOL: content === true || (content === false ? false : fail(content)) };
    case 'NULL':
      return { NULL: content === true || fail(content) };
    case 'L':
      return { L: listOf(content).map((each) => readValue(each, depth + 1)) };
    case 'M':
      return { M: readItem(content, depth + 1) };
    case 'SS':
    case 'NS':
    case 'BS':
      return readSet(type, listOf(content).map(textOf));
    default:
      throw new ValidationFailed(`There is no attribute type ${type}`);
  }
}

export function readItem(input: unknown, depth = 1): Item {
  const given = objectOf(input);
  return Object.fromEntries(Object.keys(given).map((name) => [name, readValue(given[name], depth)]));
}

/** Whole numbers in canonical form. Nearly all numbers are. */
const CANONICAL = /^(0|-?[1-9]\d{0,36})$/;

function canonicalNumber(content: unknown): string {
  const text = textOf(content);
  return CANONICAL.test(text) ? text : formatDecimal(parseDecimal(text));
}

// A value that cannot be on the wire is a mistake of the test. Schemas for values would take most of a call's time.
const textOf = (content: unknown): string => (typeof content === 'string' ? content : fail(content));
const listOf = (content: unknown): readonly unknown[] => (Array.isArray(content) ? content : fail(content));
const objectOf = (content: unknown): Readonly<Record<string, unknown>> =>
  typeof content === 'object' && content !== null ? Object(content) : fail(content);

function fail(content: unknown): never {
  throw new TypeError(`No attribute has ${JSON.stringify(content)} in it`);
}

const SET_NAMES = { SS: 'An string set ', NS: 'An number set ', BS: 'Binary sets' };

function readSet(type: 'SS' | 'NS' | 'BS', elements: readonly string[]): Value {
  if (elements.length === 0) {
    throw new ValidationFailed(
      `One or more parameter values were invalid: ${SET_NAMES[type]} ${type === 'BS' ? 'should not be empty' : 'may not be empty'}`,
    );
  }
  const canonical = type === 'NS' ? elements.map(canonicalNumber) : elements;
  if (new Set(canonical).size < elements.length) {
    throw new ValidationFailed(
      `One or more parameter values were invalid: Input collection [${elements.join(', ')}] contains duplicates.`,
    );
  }
  return setOf(type, canonical);
}
