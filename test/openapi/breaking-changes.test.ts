import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { openApiJson } from '../../functions/openapi/text.ts';

/** A JSON object of any form. */
type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const node = (value: unknown): Node => (isNode(value) ? value : {});
const list = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/**
 * The direction of a schema. Requests that were valid must stay valid. Answers must stay within what old clients know.
 */
type Direction = 'request' | 'answer';

/**
 * Changes of a description that would break a client made from the older one. New operations, new optional request
 * fields, new answer fields and new kinds of errors break nothing.
 */
function breakingChanges(before: object, after: object): string[] {
  return new Comparison(node(before), node(after)).all();
}

class Comparison {
  readonly #before: Node;
  readonly #after: Node;
  readonly #found: string[] = [];
  /** Pairs of schemas under comparison. Some schemas refer to themselves, so a pair may come again. */
  readonly #open = new Set<string>();

  constructor(before: Node, after: Node) {
    this.#before = before;
    this.#after = after;
  }

  all(): string[] {
    for (const [path, item] of Object.entries(node(this.#before.paths))) {
      for (const [method, operation] of Object.entries(node(item))) {
        const name = `${method.toUpperCase()} ${path}`;
        const now = node(node(this.#after.paths)[path])[method];
        if (now === undefined) this.#found.push(`${name} is gone`);
        else this.#operation(name, node(operation), node(now));
      }
    }
    return this.#found;
  }

  #operation(name: string, before: Node, after: Node): void {
    if (list(before.security).length === 0 && list(after.security).length > 0) {
      this.#found.push(`${name} needs a key now`);
    }
    this.#parameters(name, before, after);
    const bodyOf = (operation: Node) => node(node(operation.requestBody).content);
    if (after.requestBody !== undefined && before.requestBody === undefined) {
      this.#found.push(`${name} needs a body now`);
    }
    this.#contents(`${name} request`, bodyOf(before), bodyOf(after), 'request');
    for (const [status, answer] of Object.entries(node(before.responses))) {
      if (!status.startsWith('2') && !status.startsWith('3')) continue;
      const now = node(after.responses)[status];
      if (now === undefined) this.#found.push(`${name} no longer answers ${status}`);
      else this.#contents(`${name} ${status}`, node(node(answer).content), node(node(now).content), 'answer');
    }
  }

  #parameters(name: string, before: Node, after: Node): void {
    const key = (parameter: Node) => `${parameter.in} ${parameter.name}`;
    const known = new Map(list(before.parameters).map((each) => [key(node(each)), node(each)]));
    const now = new Map(list(after.parameters).map((each) => [key(node(each)), node(each)]));
    for (const [id, parameter] of known) {
      const other = now.get(id);
      if (other === undefined) this.#found.push(`${name} no longer takes ${id}`);
      else this.#schema(`${name} ${id}`, parameter.schema, other.schema, 'request');
    }
    for (const [id, { required }] of now) {
      if (required && !known.get(id)?.required) this.#found.push(`${name} needs ${id} now`);
    }
  }

  #contents(name: string, before: Node, after: Node, direction: Direction): void {
    for (const [type, content] of Object.entries(before)) {
      const now = after[type];
      if (now === undefined) this.#found.push(`${name} is no longer ${type}`);
      else this.#schema(name, node(content).schema, node(now).schema, direction);
    }
  }

  #schema(name: string, oldSchema: unknown, newSchema: unknown, direction: Direction): void {
    const pair = `${direction} ${JSON.stringify(oldSchema)} ${JSON.stringify(newSchema)}`;
    if (this.#open.has(pair)) return;
    this.#open.add(pair);
    const before = forms(this.#before, oldSchema);
    const after = forms(this.#after, newSchema);
    const [was, now] = [before[0] ?? {}, after[0] ?? {}];
    if (before.length > 1 || after.length > 1) this.#forms(name, before, after, direction);
    else this.#form(name, was, now, direction);
    this.#open.delete(pair);
  }

  /** With several forms, each form that must stay valid must fit one of the others. */
  #forms(name: string, before: readonly Node[], after: readonly Node[], direction: Direction): void {
    const fits =
      direction === 'request'
        ? before.map((was) => after.some((now) => this.#fits(was, now, direction)))
        : after.map((now) => before.some((was) => this.#fits(was, now, direction)));
    const what = direction === 'request' ? 'is no longer taken' : 'is new';
    fits.forEach((fit, index) => {
      if (!fit) this.#found.push(`${name}: form ${index + 1} ${what}`);
    });
  }

  #form(name: string, before: Node, after: Node, direction: Direction): void {
    this.#kinds(name, before, after, direction);
    if (direction === 'request') this.#limits(name, before, after);
    this.#members(name, before, after, direction);
    if (before.items !== undefined) this.#schema(`${name}[]`, before.items, after.items, direction);
  }

  #kinds(name: string, before: Node, after: Node, direction: Direction): void {
    const [given, taken] = direction === 'request' ? [before, after] : [after, before];
    const what = direction === 'request' ? 'is no longer taken' : 'is new';
    // An answer may contain a new word, and callers must be ready for that. It must not contain a new type.
    for (const keyword of direction === 'request' ? ['type', 'enum'] : ['type']) {
      const takes = list(taken[keyword]);
      const gives = given[keyword] === undefined ? ['any'] : list(given[keyword]);
      const unknown = takes.length === 0 ? [] : gives.filter((each) => !takes.includes(each));
      for (const each of unknown) this.#found.push(`${name}: ${keyword} ${each} ${what}`);
    }
  }

  #fits(before: Node, after: Node, direction: Direction): boolean {
    const trial = new Comparison(this.#before, this.#after);
    trial.#form('', before, after, direction);
    return trial.#found.length === 0;
  }

  #limits(name: string, before: Node, after: Node): void {
    for (const keyword of [
      'maxLength',
      'maximum',
      'maxItems',
      'minLength',
      'minimum',
      'minItems',
      'exclusiveMinimum',
    ]) {
      const now = after[keyword];
      const was =
        before[keyword] ?? (keyword.startsWith('max') ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY);
      if (typeof now !== 'number' || typeof was !== 'number') continue;
      if (keyword.startsWith('max') ? now < was : now > was)
        this.#found.push(`${name}: ${keyword} is narrower`);
    }
    if (after.pattern !== undefined && after.pattern !== before.pattern)
      this.#found.push(`${name}: pattern is another`);
  }

  #members(name: string, before: Node, after: Node, direction: Direction): void {
    const now = node(after.properties);
    for (const [member, schema] of Object.entries(node(before.properties))) {
      if (now[member] === undefined) this.#found.push(`${name}.${member} is gone`);
      else this.#schema(`${name}.${member}`, schema, now[member], direction);
    }
    const [sure, needed] = direction === 'request' ? [before, after] : [after, before];
    const missing = list(needed.required).filter((member) => !list(sure.required).includes(member));
    for (const member of missing) {
      this.#found.push(
        `${name}.${member} is ${direction === 'request' ? 'required now' : 'no longer always there'}`,
      );
    }
  }
}

/** All forms that a schema allows. */
function forms(document: Node, schema: unknown): Node[] {
  const { $ref, anyOf, oneOf } = node(schema);
  if (typeof $ref === 'string') {
    const target = $ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, token) => node(at)[token], document);
    return forms(document, target);
  }
  const inner = list(anyOf ?? oneOf);
  return inner.length === 0 ? [withoutConst(node(schema))] : inner.flatMap((each) => forms(document, each));
}

/** One word is a list of words with one. */
function withoutConst({ const: only, ...schema }: Node): Node {
  return only === undefined ? schema : { type: typeof only, enum: [only], ...schema };
}

const RELEASED = join(import.meta.dirname, '../../docs/openapi.released.yaml');

test('nothing that the last release described is broken; `npm run openapi:release` is for a new major version', () => {
  expect(breakingChanges(parse(readFileSync(RELEASED, 'utf8')), JSON.parse(openApiJson()))).toEqual([]);
});

const object = (properties: object, required: string[] = []) => ({ type: 'object', properties, required });
const string = { type: 'string' };

/** A description with one operation. */
const described = ({
  body = object({ name: string }, ['name']) as object,
  answer = object({ id: string }, ['id']) as object,
  ...more
}: {
  readonly [part: string]: unknown;
  readonly body?: object;
  readonly answer?: object;
} = {}) => ({
  paths: {
    '/things': {
      post: {
        security: [],
        parameters: [{ in: 'query', name: 'limit', schema: { type: 'integer', maximum: 100 } }],
        requestBody: { content: { 'application/json': { schema: body } } },
        responses: { 200: { content: { 'application/json': { schema: answer } } }, 400: {} },
        ...more,
      },
    },
  },
});
const limit = (parameter: object) => ({ parameters: [{ in: 'query', name: 'limit', ...parameter }] });

describe('a client is broken by', () => {
  test.each<[string, object, string]>([
    ['a removed operation', { paths: {} }, 'POST /things is gone'],
    [
      'a key that was not needed before',
      described({ security: [{ apiKey: [] }] }),
      'POST /things needs a key now',
    ],
    ['a removed status', described({ responses: { 201: {} } }), 'POST /things no longer answers 200'],
    ['a removed parameter', described({ parameters: [] }), 'POST /things no longer takes query limit'],
    [
      'a parameter that is required',
      described(limit({ required: true })),
      'POST /things needs query limit now',
    ],
    [
      'a lower maximum',
      described(limit({ schema: { type: 'integer', maximum: 50 } })),
      'POST /things query limit: maximum is narrower',
    ],
    [
      'another type',
      described(limit({ schema: { type: 'string' } })),
      'POST /things query limit: type integer is no longer taken',
    ],
    [
      'a field that is required',
      described({ body: object({ name: string, slug: string }, ['name', 'slug']) }),
      'POST /things request.slug is required now',
    ],
    ['a field that is no longer taken', described({ body: object({}) }), 'POST /things request.name is gone'],
    [
      'a pattern',
      described({ body: object({ name: { ...string, pattern: '^a' } }, ['name']) }),
      'POST /things request.name: pattern is another',
    ],
    ['fewer words', described({ body: object({ name: { ...string, enum: ['a'] } }, ['name']) }), ''],
    ['an answer without a field', described({ answer: object({}) }), 'POST /things 200.id is gone'],
    [
      'an answer that may lack a field',
      described({ answer: object({ id: string }) }),
      'POST /things 200.id is no longer always there',
    ],
    [
      'another type in an answer',
      described({ answer: object({ id: { type: 'integer' } }, ['id']) }),
      'POST /things 200.id: type integer is new',
    ],
    [
      'null in an answer',
      described({ answer: object({ id: { anyOf: [string, { type: 'null' }] } }, ['id']) }),
      '',
    ],
  ])('%s', (_, after, change) => {
    const found = breakingChanges(described(), after);
    if (change === '') expect(found).not.toEqual([]);
    else expect(found).toContain(change);
  });
});

describe('no client is broken by', () => {
  const only = (word: string) => described(limit({ schema: { const: word } }));
  test.each<[string, object, object?]>([
    ['nothing', described()],
    ['a new optional field', described({ body: object({ name: string, slug: string }, ['name']) })],
    ['a field that is no longer required', described({ body: object({ name: string }) })],
    ['a new field of an answer', described({ answer: object({ id: string, name: string }, ['id']) })],
    ['a higher maximum', described(limit({ schema: { type: 'integer', maximum: 500 } }))],
    ['a second word', described(limit({ schema: { type: 'string', enum: ['a', 'b'] } })), only('a')],
    ['a new operation', { paths: { ...described().paths, '/more': { get: { responses: {} } } } }],
  ])('%s', (_, after, before = described()) => {
    expect(breakingChanges(before, after)).toEqual([]);
  });
});
