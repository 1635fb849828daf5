import * as v from 'valibot';
import { formatDecimal, parseDecimal } from './decimal.ts';
import { ValidationFailed } from './errors.ts';
import { type Item, setOf, type Value } from './value.ts';

const attributesSchema = v.record(v.string(), v.unknown());
const DEEPEST = 32;

/** A value from the wire in its one canonical form. @throws ValidationFailed */
export function readValue(input: unknown, depth = 1): Value {
  if (depth > DEEPEST) throw new ValidationFailed('Nesting Levels have exceeded supported limits');
  const entries = Object.entries(v.parse(attributesSchema, input));
  const [entry] = entries;
  if (entry === undefined || entries.length > 1) {
    const found = entry === undefined ? 'is empty' : 'has more than one datatypes set';
    throw new ValidationFailed(
      `Supplied AttributeValue ${found}, must contain exactly one of the supported datatypes`,
    );
  }
  return readTyped(entry[0], entry[1], depth);
}

function readTyped(type: string, content: unknown, depth: number): Value {
  switch (type) {
    case 'S':
      return { S: v.parse(v.string(), content) };
    case 'N':
      return { N: canonicalNumber(content) };
    case 'B':
      return { B: v.parse(v.string(), content) };
    case 'BOOL':
      return { BOOL: v.parse(v.boolean(), content) };
    case 'NULL':
      return { NULL: v.parse(v.literal(true), content) };
    case 'L':
      return { L: v.parse(v.array(v.unknown()), content).map((each) => readValue(each, depth + 1)) };
    case 'M':
      return { M: readItem(content, depth + 1) };
    case 'SS':
    case 'NS':
    case 'BS':
      return readSet(type, v.parse(v.array(v.string()), content));
    default:
      throw new ValidationFailed(`There is no attribute type ${type}`);
  }
}

export function readItem(input: unknown, depth = 1): Item {
  const entries = Object.entries(v.parse(attributesSchema, input));
  return Object.fromEntries(entries.map(([name, value]) => [name, readValue(value, depth)]));
}

const canonicalNumber = (text: unknown) => formatDecimal(parseDecimal(v.parse(v.string(), text)));

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
