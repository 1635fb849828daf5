import { ValidationFailed } from './errors.ts';
import type { Condition } from './expressions/condition.ts';
import { holds } from './expressions/holds.ts';
import { parseCondition } from './expressions/parse-condition.ts';
import type { Placeholders } from './expressions/placeholders.ts';
import type { KeyNames } from './schema.ts';
import type { Item, Value } from './value.ts';

export interface KeyCondition {
  readonly hash: Value;
  /** Whether the query includes this item of the partition. */
  readonly includes: (item: Item) => boolean;
}

/** One value of the partition key and, optionally, a range of the sort key. @throws ValidationFailed */
export function parseKeyCondition(text: string, names: KeyNames, placeholders: Placeholders): KeyCondition {
  const tests = conjuncts(parseCondition(text, 'KeyConditionExpression', placeholders));
  const hash = tests.map((test) => equalTo(test, names.hash)).find((value) => value !== undefined);
  if (hash === undefined) {
    throw new ValidationFailed(`Query condition missed key schema element: ${names.hash}`);
  }
  const rest = tests.filter((test) => equalTo(test, names.hash) === undefined);
  if (rest.length > 1 || tests.length - rest.length > 1) {
    throw new ValidationFailed(
      'Invalid KeyConditionExpression: KeyConditionExpressions must only contain one condition per key',
    );
  }
  const [range] = rest;
  if (range === undefined) return { hash, includes: () => true };
  if (!isRange(range, names.range)) throw new ValidationFailed('Query key condition not supported');
  return { hash, includes: (item) => holds(range, item) };
}

const conjuncts = (condition: Condition): Condition[] =>
  condition.kind === 'and' ? [...conjuncts(condition.left), ...conjuncts(condition.right)] : [condition];

function equalTo(test: Condition, name: string): Value | undefined {
  if (test.kind !== 'compare' || test.comparator !== '=' || test.right.kind !== 'value') return undefined;
  return isAttribute(test.left, name) ? test.right.value : undefined;
}

function isRange(test: Condition, name: string | undefined): boolean {
  if (name === undefined) return false;
  if (test.kind === 'compare') return test.comparator !== '<>' && isAttribute(test.left, name);
  return (test.kind === 'between' || test.kind === 'begins') && isAttribute(test.operand, name);
}

const isAttribute = (operand: { readonly kind: string; readonly path?: readonly unknown[] }, name: string) =>
  operand.kind === 'path' && operand.path?.length === 1 && operand.path[0] === name;
