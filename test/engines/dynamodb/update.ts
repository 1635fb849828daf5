import { Cursor, type Path, type Placeholders, valueAt } from './expression.ts';
import { addNumbers, type Item, invalid, type Type, typeOf, type Value } from './value.ts';

export interface Update {
  readonly paths: readonly Path[];
  /** The item after the update. All operands have their values from before it. @throws ServiceError */
  readonly apply: (before: Item) => Item;
}

/** A new value for a path. Undefined removes what is there. */
interface Change {
  readonly path: Path;
  readonly to: (before: Item) => Value | undefined;
}

const SECTIONS = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;

const PARSERS: Readonly<Record<(typeof SECTIONS)[number], (cursor: Cursor) => Change>> = {
  SET: parseAssignment,
  REMOVE: (cursor) => ({ path: cursor.path(), to: () => undefined }),
  ADD: (cursor) => parseChange(cursor, 'ADD', ['N', 'SS'], added),
  DELETE: (cursor) => parseChange(cursor, 'DELETE', ['SS'], without),
};

export function parseUpdate(expression: string, placeholders: Placeholders): Update {
  const cursor = new Cursor(expression, 'UpdateExpression', placeholders);
  const changes = new Map<string, readonly Change[]>();
  while (!cursor.isAtEnd) {
    const section = cursor.skipOneOf(SECTIONS) ?? cursor.fail();
    if (changes.has(section)) {
      cursor.reject(`The "${section}" section can only be used once in an update expression;`);
    }
    changes.set(
      section,
      cursor.list(() => PARSERS[section](cursor)),
    );
  }
  const paths = [...changes.values()].flat().map(({ path }) => path);
  assertApart(cursor, paths);
  const apply = (before: Item) => applyAll(before, changes);
  return { paths, apply };
}

function applyAll(before: Item, changes: ReadonlyMap<string, readonly Change[]>): Item {
  const { REMOVE = [], ...others } = Object.fromEntries(changes);
  const values = Object.values(others).flatMap((section) =>
    section.map(({ path, to }) => ({ path, value: to(before) })),
  );
  let after: Value = { M: before };
  // Values beyond the end of a list are appended one after another, in the order of their places.
  for (const { path, value } of values.toSorted((a, b) => byPlace(a.path, b.path))) {
    after = changed(after, path, value);
  }
  // From the last place to the first, because a removal moves the later elements of a list.
  for (const { path } of REMOVE.toSorted((a, b) => byPlace(b.path, a.path))) {
    after = changed(after, path, undefined);
  }
  return 'M' in after ? after.M : before;
}

function byPlace(a: Path, b: Path): number {
  const at = a.findIndex((part, i) => part !== b[i]);
  const [one, other] = [a[at], b[at]];
  return typeof one === 'number' && typeof other === 'number' ? one - other : 0;
}

/** @throws ServiceError if the path's parent does not exist */
function changed(
  around: Value | undefined,
  [part, ...rest]: readonly (string | number)[],
  value: Value | undefined,
): Value {
  if (around !== undefined && typeof part === 'string' && 'M' in around) {
    const { [part]: child, ...others } = around.M;
    const inner = rest.length === 0 ? value : changed(child, rest, value);
    return { M: inner === undefined ? others : { ...around.M, [part]: inner } };
  }
  if (around !== undefined && typeof part === 'number' && 'L' in around) {
    const inner = rest.length === 0 ? value : changed(around.L[part], rest, value);
    return { L: around.L.toSpliced(part, 1, ...(inner === undefined ? [] : [inner])) };
  }
  throw invalid('The document path provided in the update expression is invalid for update');
}

function parseAssignment(cursor: Cursor): Change {
  const path = cursor.path();
  cursor.expect('=');
  const left = parseOperand(cursor);
  const operator = cursor.skipOneOf(['+', '-']);
  if (operator === undefined) return { path, to: left };
  const right = parseOperand(cursor);
  return { path, to: (before) => sum(left(before), right(before), operator) };
}

type Operand = (before: Item) => Value;

function parseOperand(cursor: Cursor): Operand {
  if (cursor.isAtValue) {
    const value = cursor.value();
    return () => value;
  }
  const name = cursor.functionName;
  if (name === undefined) {
    const path = cursor.path();
    return (before) => valueAt(before, path) ?? missing();
  }
  cursor.expect(name);
  cursor.expect('(');
  const operand = parseFunction(cursor, name);
  cursor.expect(')');
  return operand;
}

function parseFunction(cursor: Cursor, name: string): Operand {
  if (name === 'if_not_exists') {
    const path = cursor.path();
    cursor.expect(',');
    const otherwise = parseOperand(cursor);
    return (before) => valueAt(before, path) ?? otherwise(before);
  }
  if (name !== 'list_append') return cursor.reject(`Invalid function name; function: ${name}`);
  const first = parseOperand(cursor);
  cursor.expect(',');
  const second = parseOperand(cursor);
  return (before) => {
    const [one, other] = [first(before), second(before)];
    return 'L' in one && 'L' in other ? { L: [...one.L, ...other.L] } : wrongType();
  };
}

function parseChange(
  cursor: Cursor,
  section: string,
  types: readonly Type[],
  change: (value: Value, by: Value) => Value | undefined,
): Change {
  const path = cursor.path();
  const by = cursor.value();
  if (!types.includes(typeOf(by))) cursor.rejectType(section, typeOf(by));
  return {
    path,
    to: (before) => {
      const value = valueAt(before, path);
      if (value !== undefined) return change(value, by);
      return section === 'ADD' ? by : undefined;
    },
  };
}

function sum(value: Value, by: Value, operator: '+' | '-'): Value {
  if (!('N' in value && 'N' in by)) return wrongType();
  if (operator === '+') return { N: addNumbers(value.N, by.N) };
  return { N: addNumbers(value.N, by.N.startsWith('-') ? by.N.slice(1) : `-${by.N}`) };
}

function added(value: Value, by: Value): Value {
  if (!('SS' in value && 'SS' in by)) return sum(value, by, '+');
  return { SS: [...new Set([...value.SS, ...by.SS])] };
}

/** An empty set cannot exist, so the attribute is removed. */
function without(value: Value, by: Value): Value | undefined {
  if (!('SS' in value && 'SS' in by)) return wrongType();
  const rest = value.SS.filter((element) => !by.SS.includes(element));
  return rest.length === 0 ? undefined : { SS: rest };
}

function wrongType(): never {
  throw invalid('An operand in the update expression has an incorrect data type');
}

function missing(): never {
  throw invalid('The provided expression refers to an attribute that does not exist in the item');
}

/** An update must not change the same path twice, nor a path within another one. */
function assertApart(cursor: Cursor, paths: readonly Path[]): void {
  const isWithin = (path: Path, start: Path) => start.every((part, i) => path[i] === part);
  for (const [i, one] of paths.entries()) {
    const other = paths.slice(i + 1).find((each) => isWithin(one, each) || isWithin(each, one));
    if (other === undefined) continue;
    cursor.reject(
      'Two document paths overlap with each other; must remove or rewrite one of these paths; ' +
        `path one: [${one.join(', ')}], path two: [${other.join(', ')}]`,
    );
  }
}
