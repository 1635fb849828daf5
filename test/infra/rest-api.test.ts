import { describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { routes } from '../../functions/endpoints/definitions.ts';
import type { Route } from '../../functions/http/routes.ts';
import { rolesOf } from './roles.ts';
import { synthesize } from './template.ts';

const templateSchema = v.object({ Resources: v.record(v.string(), v.unknown()) });

/**
 * Resources that depend on each other in a circle, so that CloudFormation cannot order them. CDK's own check ignores
 * update policies, but through them an alias depends on its deployment group.
 */
function circlesIn(template: Template): string[][] {
  const { Resources } = v.parse(templateSchema, template.toJSON());
  const waitsFor = new Map(
    Object.entries(Resources).map(([id, resource]) => [
      id,
      namedIn(resource).filter((name) => name in Resources),
    ]),
  );
  const done = new Set<string>();
  const circles: string[][] = [];
  const visit = (id: string, path: readonly string[]): void => {
    if (path.includes(id)) circles.push([...path.slice(path.indexOf(id)), id]);
    if (done.has(id) || path.includes(id)) return;
    for (const next of waitsFor.get(id) ?? []) visit(next, [...path, id]);
    done.add(id);
  };
  for (const id of waitsFor.keys()) visit(id, []);
  return circles;
}

/** All strings in `Ref`, `Fn::GetAtt`, `Fn::Sub` and `DependsOn` that could name a resource. */
function namedIn(resource: unknown): string[] {
  if (typeof resource === 'string')
    return [resource, ...[...resource.matchAll(/\$\{(\w+)/g)].map(([, id = '']) => id)];
  if (typeof resource !== 'object' || resource === null) return [];
  return Object.values(resource).flatMap(namedIn);
}

const prod = await synthesize('prod');

const attributeSchema = v.object({ 'Fn::GetAtt': v.tuple([v.string(), v.string()]) });
const operationSchema = v.object({
  'x-amazon-apigateway-integration': v.object({
    type: v.literal('aws_proxy'),
    httpMethod: v.literal('POST'),
    uri: v.object({ 'Fn::Join': v.tuple([v.literal(''), v.array(v.unknown())]) }),
    credentials: attributeSchema,
  }),
});
const apiSchema = v.object({
  Properties: v.object({
    Name: v.string(),
    BinaryMediaTypes: v.array(v.string()),
    Body: v.object({
      info: v.object({ title: v.string() }),
      'x-amazon-apigateway-binary-media-types': v.array(v.string()),
      paths: v.record(v.string(), v.record(v.string(), v.unknown())),
      'x-amazon-apigateway-gateway-responses': v.record(
        v.string(),
        v.object({
          statusCode: v.exactOptional(v.number()),
          responseParameters: v.record(v.string(), v.string()),
          responseTemplates: v.object({ 'application/json': v.pipe(v.string(), v.parseJson()) }),
        }),
      ),
    }),
  }),
});
const apis = Object.values(prod.findResources('AWS::ApiGateway::RestApi'));
const { Properties: api } = v.parse(apiSchema, apis[0]);

const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'];
const functions = prod.findResources('AWS::Lambda::Function');
const aliases = prod.findResources('AWS::Lambda::Alias');
const refSchema = v.object({
  Ref: v.pipe(
    v.string(),
    v.check((id) => id in aliases),
  ),
});

function integrationOf(path: string, method: string) {
  return v.parse(operationSchema, api.Body.paths[path]?.[method])['x-amazon-apigateway-integration'];
}

/** The target of a request: a function, or an alias if new code takes over gradually. */
function calledBy(path: string, method: string) {
  const [, parts] = integrationOf(path, method).uri['Fn::Join'];
  return v.parse(
    v.union([attributeSchema, refSchema]),
    parts.find((part) => v.is(attributeSchema, part) || v.is(refSchema, part)),
  );
}

/** The name of the function that answers a request. */
function answering(path: string, method: string): string {
  const called = calledBy(path, method);
  const id = 'Ref' in called ? aliases[called.Ref]!.Properties.FunctionName.Ref : called['Fn::GetAtt'][0];
  return functions[id]!.Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME;
}

/** The roles with which API Gateway calls functions. */
const roleIds = () =>
  new Set(
    Object.keys(api.Body.paths).flatMap((path) =>
      METHODS.map((method) => integrationOf(path, method).credentials['Fn::GetAtt'][0]),
    ),
  );

/** The characters of policies when CloudFormation has put in the ARNs of functions, whose names it cuts at 64. */
function deployedLength(policies: unknown): number {
  const arn = `arn:aws:lambda:ap-southeast-1:123456789012:function:${'n'.repeat(64)}`;
  const made = JSON.stringify(policies).replaceAll(
    /\{"Fn::GetAtt":\["\w+","Arn"\]\}|\{"Ref":"\w+"\}/g,
    `"${arn}"`,
  );
  return made.length;
}

describe('the API', () => {
  test.each(Object.entries<Route>(routes))(
    'routes the method and path of %s to it',
    (routeId, { method, path }) => {
      expect(answering(`/v1${path}`, method.toLowerCase())).toBe(routeId);
      if (method === 'GET') expect(answering(`/v1${path}`, 'head')).toBe(routeId);
    },
  );

  test('routes all other methods and paths to one function', () => {
    const all = Object.values<Route>(routes);
    const isRouted = (path: string, method: string) =>
      all.some(
        (route) =>
          `/v1${route.path}` === path &&
          (route.method.toLowerCase() === method || (route.method === 'GET' && method === 'head')),
      );
    const paths = Object.keys(api.Body.paths);
    expect(new Set(paths)).toEqual(
      new Set(['/', '/{proxy+}', '/v1', '/v1/{proxy+}', ...all.map(({ path }) => `/v1${path}`)]),
    );
    for (const path of paths) {
      for (const method of METHODS.filter((each) => !isRouted(path, each))) {
        expect(answering(path, method)).toBe('answer-unrouted');
      }
    }
  });

  test('calls each function with a role that may call those of reads, or all others, and nothing else', () => {
    const called = new Map<string, Set<string>>();
    for (const path of Object.keys(api.Body.paths)) {
      for (const method of METHODS) {
        const role: string = integrationOf(path, method).credentials['Fn::GetAtt'][0];
        const functions = called.get(role) ?? new Set();
        called.set(role, functions.add(JSON.stringify(calledBy(path, method))));
      }
    }
    expect(called.size).toBe(2);
    for (const [role, functions] of called) {
      const [statement, ...more] = rolesOf(prod).get(role) ?? [];
      expect(more).toEqual([]);
      expect(statement).toMatchObject({ Action: ['lambda:InvokeFunction'], Effect: 'Allow' });
      const arns = v.parse(v.array(v.unknown()), statement?.Resource);
      expect(new Set(arns.map((arn) => JSON.stringify(arn)))).toEqual(functions);
    }
  });

  test('may be called for this account only, by policies well below the largest that IAM takes', () => {
    for (const role of roleIds()) {
      const { AssumeRolePolicyDocument, Policies } = prod.toJSON().Resources[role].Properties;
      expect(AssumeRolePolicyDocument.Statement).toEqual([
        expect.objectContaining({
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          Principal: { Service: 'apigateway.amazonaws.com' },
        }),
      ]);
      // IAM counts 10,240 characters in all inline policies of a role.
      expect(deployedLength(Policies)).toBeLessThan(9_000);
    }
  });

  test('is named after its stage, and passes every body on as bytes', () => {
    expect(api.Name).toBe('Genway-prod');
    expect(api.Body.info.title).toBe(api.Name);
    expect(api.BinaryMediaTypes).toEqual(['*/*']);
    expect(api.Body['x-amazon-apigateway-binary-media-types']).toEqual(['*/*']);
  });

  test.each([
    ['DEFAULT_4XX', 400],
    ['MISSING_AUTHENTICATION_TOKEN', 404],
    ['RESOURCE_NOT_FOUND', 404],
    ['ACCESS_DENIED', 403],
    ['EXPIRED_TOKEN', 403],
    ['INVALID_API_KEY', 403],
    ['INVALID_SIGNATURE', 403],
    ['UNSUPPORTED_MEDIA_TYPE', 415],
    ['WAF_FILTERED', 403],
    ['REQUEST_TOO_LARGE', 413],
    ['THROTTLED', 429],
    ['QUOTA_EXCEEDED', 429],
  ])('answers %s in the error body, with the headers of every answer', (type, status) => {
    const answer = api.Body['x-amazon-apigateway-gateway-responses'][type];
    expect(answer?.statusCode).toBe(status);
    expect(answer?.responseTemplates['application/json']).toMatchObject({ error: { code: status } });
    expect(answer?.responseParameters).toMatchObject({
      'gatewayresponse.header.x-request-id': 'context.requestId',
      'gatewayresponse.header.cache-control': "'no-store'",
      'gatewayresponse.header.x-content-type-options': "'nosniff'",
    });
  });
});

test.each([
  ['DEFAULT_5XX', 502],
  ['API_CONFIGURATION_ERROR', 500],
  ['INTEGRATION_FAILURE', 504],
  ['INTEGRATION_TIMEOUT', 504],
])('API Gateway counts %s as our failure, because its status is unchanged', (type, status) => {
  const answer = api.Body['x-amazon-apigateway-gateway-responses'][type];
  expect(answer).not.toHaveProperty('statusCode');
  expect(answer?.responseTemplates['application/json']).toMatchObject({ error: { code: status } });
});

describe('the stage of the API', () => {
  test('accepts no more requests than the stage’s settings say', () => {
    prod.hasResourceProperties('AWS::ApiGateway::Stage', {
      MethodSettings: [
        { HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 1000, ThrottlingBurstLimit: 2000 },
      ],
    });
  });

  test('logs each request without its query string, headers or body', () => {
    const [stage] = Object.values(prod.findResources('AWS::ApiGateway::Stage'));
    prod.hasResourceProperties('AWS::Logs::LogGroup', { LogGroupName: '/Genway-prod/access-log' });
    const { Format } = stage!.Properties.AccessLogSetting;
    expect(Object.keys(JSON.parse(Format))).toEqual(
      expect.arrayContaining(['request_id', 'route', 'status']),
    );
    const logged = Object.values(JSON.parse(Format));
    expect(logged).not.toContainEqual(expect.stringMatching(/query|header|body|context\.path|userAgent/i));
  });

  test('keeps the account’s role for such logs at its deletion, because other stages share it', async () => {
    prod.hasResource('AWS::ApiGateway::Account', { DeletionPolicy: 'Retain' });
    (await synthesize('local')).resourceCountIs('AWS::ApiGateway::Account', 0);
  });
});

test('the stack has no circular dependency', () => {
  expect(circlesIn(prod)).toEqual([]);
});

test('the stack leaves room within CloudFormation’s 500 resources', () => {
  expect(Object.keys(prod.toJSON().Resources).length).toBeLessThan(450);
});
