import { parseSync } from '@swc/core';

/** One small fault in one expression. */
export interface Mutant {
  readonly file: string;
  /** The position in bytes, as the parser counts. */
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly from: string;
  readonly to: string;
}

const OPERATORS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/** Types are no code, and keys of objects are only names. */
const LEFT_OUT =
  /^(Ts(?!(As|NonNull|Satisfies|ConstAssertion))|ImportDeclaration|Export(All|Named)Declaration$)/;
const FUNCTIONS = /Function|Method|Getter|Constructor/;

type Node = Readonly<Record<string, unknown>>;
type Faulty = readonly [node: Node, to: string];

/**
 * Faults in code that runs when a function is called. A module's top-level code runs only once, so all mutants would
 * share its result.
 */
export function mutantsOf(file: string, source: string): Mutant[] {
  // The parser continues its count from file to file, and counts from the first token. The added `0;` is always that
  // token.
  const parsed: Node = Object(parseSync(`0;${source}`, { syntax: 'typescript', target: 'es2024' }));
  const bytes = Buffer.from(source);
  const origin = spanOf(parsed).start + 2;
  const text = (node: Node) => bytes.toString('utf8', spanOf(node).start - origin, spanOf(node).end - origin);
  return [...faults(parsed, false, text)].map(([node, to]) => {
    const [start, end] = [spanOf(node).start - origin, spanOf(node).end - origin];
    const line = bytes.toString('utf8', 0, start).split('\n').length;
    return { file, start, end, line, from: text(node), to };
  });
}

function* faults(node: Node, isInFunction: boolean, text: (node: Node) => string): Generator<Faulty> {
  const type = String(node.type ?? '');
  if (LEFT_OUT.test(type)) return;
  if (isInFunction) yield* faultsOf(node, type, text);
  const isWithin = isInFunction || FUNCTIONS.test(type);
  for (const [name, value] of Object.entries(node)) {
    if (name === 'key' || name === 'span' || name === 'typeAnnotation') continue;
    for (const child of [value].flat()) if (isNode(child)) yield* faults(child, isWithin, text);
  }
}

/** One case for each kind of expression: the list reads better whole. */
function* faultsOf(node: Node, type: string, text: (node: Node) => string): Generator<Faulty> {
  switch (type) {
    case 'BinaryExpression': {
      const to = OPERATORS[String(node.operator)];
      if (to !== undefined) yield [node, `(${text(Object(node.left))}) ${to} (${text(Object(node.right))})`];
      return;
    }
    case 'IfStatement':
    case 'ConditionalExpression':
      yield [Object(node.test), 'true'];
      yield [Object(node.test), 'false'];
      return;
    case 'UnaryExpression':
      if (node.operator === '!') yield [node, text(Object(node.argument))];
      return;
    case 'BooleanLiteral':
      yield [node, String(node.value !== true)];
      return;
    case 'StringLiteral':
      yield [node, node.value === '' ? "'mutated'" : "''"];
      return;
    case 'NumericLiteral':
      yield [node, `${Number(node.value) + 1}`];
      return;
    case 'ExpressionStatement': {
      const expression: Node = Object(node.expression);
      if (/Call|Await/.test(String(expression.type))) yield [expression, 'undefined'];
    }
  }
}

/** The source with all its mutants. `__mutant(number)` says which one is switched on. */
export function withMutants(source: string, mutants: readonly (Mutant & { readonly id: number })[]): string {
  const bytes = Buffer.from(source);
  const places = Map.groupBy(mutants, ({ start, end }) => `${start} ${end}`).values();
  const inOrder = [...places].toSorted(
    ([a], [b]) => (a?.start ?? 0) - (b?.start ?? 0) || (b?.end ?? 0) - (a?.end ?? 0),
  );
  let next = 0;
  const render = (start: number, end: number): string => {
    let written = '';
    let at = start;
    for (let place = inOrder[next]; place?.[0] !== undefined && place[0].start < end; place = inOrder[next]) {
      next++;
      const [{ start: from, end: to }] = [place[0]];
      const choices = place.map((mutant) => `__mutant(${mutant.id}) ? (${mutant.to}) : `);
      written += `${bytes.toString('utf8', at, from)}(${choices.join('')}(${render(from, to)}))`;
      at = to;
    }
    return written + bytes.toString('utf8', at, end);
  };
  return render(0, bytes.length);
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const spanOf = (node: Node): { start: number; end: number } => Object(node.span);
