import { ValidationFailed } from '../errors.ts';

export interface Token {
  readonly kind: 'name' | 'alias' | 'value' | 'number' | 'symbol' | 'end';
  readonly text: string;
}

const TOKEN = /\s*(?:(#\w+)|(:\w+)|(\d+)|([A-Za-z_]\w*)|(<>|<=|>=|[=<>()[\].,+-]))/y;
const SPACE = /\s*/y;

/** A cache. The same few expressions are read again and again. */
const known = new Map<string, readonly Token[]>();

/** @param kind the kind of expression, for messages @throws ValidationFailed */
export function tokenize(expression: string, kind: string): readonly Token[] {
  const tokens = known.get(expression) ?? read(expression, kind);
  known.set(expression, tokens);
  return tokens;
}

function read(expression: string, kind: string): readonly Token[] {
  const tokens: Token[] = [];
  let position = 0;
  while (skipSpace(expression, position) < expression.length) {
    TOKEN.lastIndex = position;
    const match = TOKEN.exec(expression);
    if (match === null) {
      const at = skipSpace(expression, position);
      throw new ValidationFailed(
        `Invalid ${kind}: Syntax error; token: "${expression[at]}", near: "${expression.slice(at, at + 12)}"`,
      );
    }
    tokens.push(tokenOf(match));
    position = TOKEN.lastIndex;
  }
  if (tokens.length === 0) throw new ValidationFailed(`Invalid ${kind}: The expression can not be empty;`);
  return [...tokens, { kind: 'end', text: '<EOF>' }];
}

function skipSpace(text: string, position: number): number {
  SPACE.lastIndex = position;
  SPACE.exec(text);
  return SPACE.lastIndex;
}

function tokenOf([, alias, value, number, name, symbol = '']: RegExpExecArray): Token {
  if (alias !== undefined) return { kind: 'alias', text: alias };
  if (value !== undefined) return { kind: 'value', text: value };
  if (number !== undefined) return { kind: 'number', text: number };
  return name === undefined ? { kind: 'symbol', text: symbol } : { kind: 'name', text: name };
}
