import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { openApiJson } from '../../functions/openapi/text.ts';
import { synthesize } from './template.ts';

const parameterSchema = v.object({ name: v.string(), in: v.string() });
const pathsSchema = v.record(v.string(), v.record(v.string(), v.unknown()));
const documentSchema = v.object({ paths: pathsSchema });
const parametersSchema = v.optional(v.array(parameterSchema), []);

const described = v.parse(documentSchema, JSON.parse(openApiJson())).paths;
const [api] = Object.values((await synthesize('prod')).findResources('AWS::ApiGateway::RestApi'));
const deployed = v.parse(documentSchema, api?.Properties.Body).paths;

const namesInPath = (parameters: unknown): string[] =>
  v
    .parse(parametersSchema, parameters)
    .filter((each) => each.in === 'path')
    .map(({ name }) => name);

test.each(Object.entries(described))('the deployed path %s accepts what is described', (path, item) => {
  const own = deployed[`/v1${path}`];
  expect(own).toBeDefined();
  for (const [method, operation] of Object.entries(item)) {
    expect(Object.keys(own ?? {})).toContain(method);
    const { parameters } = v.parse(v.object({ parameters: v.optional(v.unknown()) }), operation);
    expect(namesInPath(own?.parameters)).toEqual(namesInPath(parameters));
  }
});

test('besides the described routes only the fallback is deployed', () => {
  const others = Object.keys(deployed).filter((path) => described[path.replace(/^\/v1/, '')] === undefined);
  expect(others.toSorted()).toEqual(['/', '/v1', '/v1/{proxy+}', '/{proxy+}']);
});
