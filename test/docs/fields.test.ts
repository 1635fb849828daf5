import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { openApiJson } from '../../functions/openapi/text.ts';
import { directivesSchema } from '../../functions/videos/providers/sandbox-behaviour.ts';

const fieldsSchema = v.object({ properties: v.record(v.string(), v.unknown()) });
const operationSchema = v.object({
  requestBody: v.object({ content: v.object({ 'application/json': v.object({ schema: fieldsSchema }) }) }),
});
const documentSchema = v.object({
  paths: v.record(v.string(), v.record(v.string(), v.unknown())),
  components: v.object({ schemas: v.record(v.string(), v.unknown()) }),
});
const description = v.parse(documentSchema, JSON.parse(openApiJson()));

const taken = (path: string, method: string): string[] => {
  const { requestBody } = v.parse(operationSchema, description.paths[path]?.[method]);
  return Object.keys(requestBody.content['application/json'].schema.properties);
};
const shown = (schema: string): string[] =>
  Object.keys(v.parse(fieldsSchema, description.components.schemas[schema]).properties);

test.each([
  [
    'keys',
    [...taken('/keys', 'post'), ...taken('/keys/{hash}', 'patch'), ...shown('Key'), ...shown('CurrentKey')],
  ],
  ['budgets', [...taken('/workspaces/{workspace}/budgets/{interval}', 'put'), ...shown('Budget')]],
  ['credits', [...taken('/credits', 'post'), ...shown('Credits')]],
  [
    'sandbox',
    [...Object.keys(directivesSchema.entries), ...directivesSchema.entries.outcome.wrapped.options],
  ],
])('docs/%s.md tells of every field', (name, fields) => {
  const page = readFileSync(`docs/${name}.md`, 'utf8');
  expect(fields.length).toBeGreaterThan(4);
  expect(fields.filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
});
