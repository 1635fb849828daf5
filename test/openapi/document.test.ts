import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as v from 'valibot';
import { parse } from 'yaml';
import { operations, routes } from '../../functions/endpoints/definitions.ts';
import type { Route } from '../../functions/http/routes.ts';
import { JOB_EVENTS } from '../../functions/openapi/events.ts';
import { examples } from '../../functions/openapi/examples.ts';
import { FIELD_TEXTS } from '../../functions/openapi/field-texts.ts';
import { REFUSALS } from '../../functions/openapi/refusals.ts';
import { openApiJson, openApiYaml, operationsPage } from '../../functions/openapi/text.ts';
import { TEST_EVENT } from '../../functions/webhooks/events/event.ts';
import { type Exchange, ExchangeChecker } from './exchange-checker.ts';

const ROOT = join(import.meta.dirname, '../..');
const document = JSON.parse(openApiJson());
const checker = new ExchangeChecker(document);

test('docs/openapi.yaml is what the stage serves; `npm run openapi` writes it', () => {
  expect(readFileSync(join(ROOT, 'docs/openapi.yaml'), 'utf8')).toBe(openApiYaml());
});

test('docs/operations.md has each operation once, with its group; `npm run openapi` writes it', () => {
  const page = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');
  expect(page).toBe(operationsPage());
  const lines = page.split('\n').filter((line) => line.startsWith('| `'));
  expect(lines).toHaveLength(Object.keys(routes).length);
  for (const { method, path, group = '' } of Object.values<Route>(routes)) {
    const [line = ''] = lines.filter((each) => each.startsWith(`| \`${method} ${path}\` |`));
    expect([path, line.split(' | ')[3]]).toEqual([path, group]);
  }
});

test('the YAML reads the same to parsers of YAML 1.1 and 1.2', () => {
  const [older, newer] = (['1.1', '1.2'] as const).map((version) => parse(openApiYaml(), { version }));
  expect(newer).toEqual(document);
  expect(older).toEqual(document);
});

test('every route is an operation, and every operation a route', () => {
  const described = Object.entries(
    v.parse(v.record(v.string(), v.record(v.string(), v.unknown())), document.paths),
  );
  const pairs = described.flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(pairs.toSorted()).toEqual(
    Object.values<Route>(routes)
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
  );
});

/** The paths of objects that the description leaves open. */
function unsaid(schema: unknown, path: string): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const isUnsaid = 'type' in schema && schema.type === 'object';
  if (isUnsaid && !('properties' in schema) && !('additionalProperties' in schema)) return [path];
  return Object.entries(schema).flatMap(([name, inner]) => unsaid(inner, `${path}/${name}`));
}

test.each(['edit-video', 'extend-video', 'remix-video'] as const)(
  '%s is refused as a submission is',
  (id) => {
    const { [id]: continuing, 'submit-video': submission } = operations();
    expect(continuing.refuses).toEqual(submission.refuses);
  },
);

test('every object of a request says what it may hold', () => {
  const { paths, components } = document;
  const inPaths = unsaid(paths, 'paths').filter((path) => path.includes('/requestBody/'));
  expect([...inPaths, ...unsaid(components.schemas, 'schemas')]).toEqual([]);
});

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const member = (value: unknown, name: string): unknown => (isJson(value) ? value[name] : undefined);

const resolved = (schema: unknown): unknown => {
  const reference = member(schema, '$ref');
  if (typeof reference !== 'string') return schema;
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, name) => member(at, name), document);
};
/** A unit, or a reference to another field, does not say what a field means. */
const SAYS_NOTHING =
  /^(?:(?:in )?(?:USD|unix seconds|seconds|pixels|hexadecimal digits)(?:[,.]|$)|(?:as|of) )/i;
const isDescribed = (schema: unknown): boolean => {
  const text = String(member(resolved(schema), 'description') ?? '');
  return /\w/.test(text) && !SAYS_NOTHING.test(text);
};

/** Every field, parameter and operation below a place, by its path. */
function parts(value: unknown, path: string): [string, unknown][] {
  if (!isJson(value)) return [];
  const { properties, parameters, operationId } = value;
  const named = Array.isArray(parameters) ? parameters : [];
  return [
    ...Object.entries(isJson(properties) ? properties : {}),
    ...named.map((each): [string, unknown] => [String(member(each, 'name')), each]),
    ...(operationId === undefined ? [] : [[String(operationId), value] as [string, unknown]]),
  ]
    .map(([name, part]): [string, unknown] => [`${path}/${name}`, part])
    .concat(
      Object.entries(value)
        .filter(([keyword]) => keyword !== 'example')
        .flatMap(([keyword, inner]) => parts(inner, `${path}/${keyword}`)),
    );
}

test('every field, every parameter and every operation says what it means', () => {
  const all = [...parts(document, ''), ...Object.entries(document.components.schemas)];
  expect(all.length).toBeGreaterThan(1_500);
  expect(all.filter(([, part]) => !isDescribed(part)).map(([path]) => path)).toEqual([]);
});

test('every text of the table of fields is used', () => {
  const used = new Set(Object.values(document.components.schemas).map((each) => member(each, 'description')));
  for (const [, part] of parts(document, '')) used.add(member(part, 'description'));
  expect(Object.entries(FIELD_TEXTS).filter(([, text]) => !used.has(text))).toEqual([]);
});

/** Where a schema takes fields that it does not name. Schemas of schemas lead back to themselves. */
function looseIn(schema: unknown, path: string, seen = new Set<unknown>()): string[] {
  if (!isJson(schema) || seen.has(schema)) return [];
  seen.add(schema);
  const { type, entries, options, pipe, wrapped, item } = schema;
  const inner = [...[options, pipe].flatMap((some) => (Array.isArray(some) ? some : [])), wrapped, item];
  const named = isJson(entries) ? Object.entries(entries) : [];
  return [
    ...(type === 'loose_object' || type === 'object_with_rest' ? [path] : []),
    ...inner.flatMap((each) => looseIn(each, path, seen)),
    ...named.flatMap(([name, each]) => looseIn(each, `${path}.${name}`, seen)),
  ];
}

test('no body has a field that its schema does not name', () => {
  const bodies = Object.entries(operations()).flatMap(([id, { body }]) =>
    body ? [[id, body] as const] : [],
  );
  expect(bodies.length).toBeGreaterThan(20);
  expect(bodies.flatMap(([id, body]) => looseIn(body, id))).toEqual([]);
});

const described = Object.entries(operations()).filter(([, { tag }]) => tag !== 'Description');

describe.each(described)('%s', (id, { answers, body }) => {
  const route: Route = routes[id as keyof typeof routes];
  const path = route.path.replaceAll(/\{(\w+)\}/g, 'x');

  test('has an example; `npm run openapi:examples` records it', () => {
    const example = examples.operations[id];
    expect(Object.keys(example?.answers ?? {})).not.toEqual([]);
    expect(Object.keys(answers)).toEqual(expect.arrayContaining(Object.keys(example?.answers ?? {})));
    expect(example?.request === undefined).toBe(body === undefined);
  });

  test('has examples that match it', () => {
    for (const [status, answer] of Object.entries(examples.operations[id]?.answers ?? {})) {
      const exchange: Exchange = {
        method: route.method,
        path,
        status: Number(status),
        headers: new Headers({ 'x-request-id': 'x', 'content-type': 'application/json' }),
        body: answer,
        requestBody: examples.operations[id]?.request,
      };
      expect(checker.deviations(exchange)).toEqual([]);
    }
  });
});

test('every error and every event has an example', () => {
  expect(Object.keys(examples.refusals).toSorted()).toEqual(Object.keys(REFUSALS).toSorted());
  expect(Object.keys(examples.events).toSorted()).toEqual(
    [...Object.keys(JOB_EVENTS), TEST_EVENT].toSorted(),
  );
});
