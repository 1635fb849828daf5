import { typeOf, type Value } from '../value.ts';
import { Cursor } from './cursor.ts';
import { describePath, type Path, startsWith } from './path.ts';
import type { Placeholders } from './placeholders.ts';
import { pathsOf, type Update, type UpdateOperand } from './update.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const SECTIONS = ['SET', 'REMOVE', 'ADD', 'DELETE'] as const;

export function parseUpdate(expression: string, placeholders: Placeholders): Update {
  const cursor = new Cursor(expression, 'UpdateExpression', placeholders);
  const update: Mutable<Update> = { set: [], remove: [], add: [], delete: [] };
  const seen = new Set<string>();
  while (!cursor.isAtEnd) {
    const section = SECTIONS.find((each) => cursor.skip(each));
    if (section === undefined) return cursor.fail();
    if (seen.has(section)) {
      cursor.reject(`The "${section}" section can only be used once in an update expression;`);
    }
    seen.add(section);
    if (section === 'SET') update.set = cursor.list(() => parseAssignment(cursor));
    if (section === 'REMOVE') update.remove = cursor.list(() => cursor.path());
    if (section === 'ADD')
      update.add = cursor.list(() => parseChange(cursor, 'ADD', ['N', 'SS', 'NS', 'BS']));
    if (section === 'DELETE') {
      update.delete = cursor.list(() => parseChange(cursor, 'DELETE', ['SS', 'NS', 'BS']));
    }
  }
  assertApart(cursor, pathsOf(update));
  return update;
}

function parseAssignment(cursor: Cursor) {
  const path = cursor.path();
  cursor.expect('=');
  return { path, to: parseSum(cursor) };
}

function parseSum(cursor: Cursor): UpdateOperand {
  const left = parseOperand(cursor);
  const kind = (['+', '-'] as const).find((each) => cursor.skip(each));
  if (kind === undefined) return left;
  const right = parseOperand(cursor);
  for (const side of [left, right]) requireType(cursor, kind, side, 'N');
  return { kind, left, right };
}

function parseOperand(cursor: Cursor): UpdateOperand {
  if (cursor.isAtValue) return { kind: 'value', value: cursor.value() };
  const name = cursor.functionName;
  if (name === undefined) return { kind: 'path', path: cursor.path() };
  cursor.expect(name);
  cursor.expect('(');
  const operand = parseFunction(cursor, name);
  cursor.expect(')');
  return operand;
}

function parseFunction(cursor: Cursor, name: string): UpdateOperand {
  if (name === 'if_not_exists') {
    const path = cursor.path();
    cursor.expect(',');
    return { kind: 'if_not_exists', path, otherwise: parseOperand(cursor) };
  }
  if (name !== 'list_append') return cursor.reject(`Invalid function name; function: ${name}`);
  const first = parseOperand(cursor);
  cursor.expect(',');
  const second = parseOperand(cursor);
  for (const side of [first, second]) requireType(cursor, name, side, 'L');
  return { kind: 'list_append', first, second };
}

function requireType(cursor: Cursor, name: string, operand: UpdateOperand, type: string): void {
  if (operand.kind !== 'value' || typeOf(operand.value) === type) return;
  cursor.reject(
    `Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${typeOf(operand.value)}`,
  );
}

function parseChange(cursor: Cursor, section: string, types: string[]): { path: Path; value: Value } {
  const path = cursor.path();
  const value = cursor.value();
  if (types.includes(typeOf(value))) return { path, value };
  return cursor.reject(
    `Incorrect operand type for operator or function; operator: ${section}, operand type: ${typeOf(value)}`,
  );
}

/** An update must not change the same path twice, nor a path within another one. */
function assertApart(cursor: Cursor, paths: readonly Path[]): void {
  for (const [i, one] of paths.entries()) {
    for (const other of paths.slice(i + 1)) {
      if (!startsWith(one, other) && !startsWith(other, one)) continue;
      cursor.reject(
        'Two document paths overlap with each other; must remove or rewrite one of these paths; ' +
          `path one: ${describePath(one)}, path two: ${describePath(other)}`,
      );
    }
  }
}
