import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import * as v from 'valibot';
import { LOAD_BALANCER_IDLE } from '../../functions/endpoints/files/upload-server/limits.ts';
import { IMAGE_CONTEXT } from '../../lib/bundling/folders.ts';
import { NODE_FLAGS } from '../../lib/upload-server/image-context.ts';
import { rolesOf } from './roles.ts';
import { synthesize } from './template.ts';

let prod: Template;
beforeAll(async () => {
  prod = await synthesize('prod');
});

const only = (type: string) => {
  const all = Object.values(prod.findResources(type));
  expect(all).toHaveLength(1);
  return all[0]!;
};

describe('the edge of large uploads', () => {
  test('closes idle connections before the load balancer does', () => {
    const cloudFront = 60;
    expect(LOAD_BALANCER_IDLE).toBeGreaterThan(cloudFront * 1000);
    prod.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        Origins: Match.arrayWith([
          Match.objectLike({
            Id: 'large-uploads',
            VpcOriginConfig: Match.objectLike({ OriginKeepaliveTimeout: cloudFront, OriginReadTimeout: 120 }),
          }),
        ]),
      },
    });
  });
});

describe('the server of large uploads', () => {
  test('gets all variables of the function for the same endpoint', () => {
    const [upload] = Object.values(
      prod.findResources('AWS::Lambda::Function', {
        Properties: { Environment: { Variables: { POWERTOOLS_SERVICE_NAME: 'upload-file' } } },
      }),
    );
    const [container] = only('AWS::ECS::TaskDefinition').Properties.ContainerDefinitions;
    const variables = v.parse(
      v.array(v.object({ Name: v.string(), Value: v.unknown() })),
      container.Environment,
    );
    expect(Object.fromEntries(variables.map(({ Name, Value }) => [Name, Value]))).toEqual({
      ...upload!.Properties.Environment.Variables,
      POWERTOOLS_SERVICE_NAME: 'upload-server',
      AWS_REGION: { Ref: 'AWS::Region' },
      HOST: '0.0.0.0',
      PORT: '8080',
    });
  });

  test('has the rights of that function, and no right to write its own log', () => {
    const actionsOf = (prefix: string) =>
      [...rolesOf(prod)]
        .filter(([id]) => id.startsWith(prefix))
        .flatMap(([, statements]) => statements)
        .map(({ Action, Resource }) => JSON.stringify([Action, Resource]))
        .filter((statement) => !statement.includes('logs:'));
    expect(new Set(actionsOf('LargeUploadsServerTaskRole'))).toEqual(
      new Set(actionsOf('RestApiuploadfileRole')),
    );
  });

  test('is built on an image by its digest', () => {
    const dockerfile = readFileSync(join(IMAGE_CONTEXT, 'Dockerfile'), 'utf8');
    expect(dockerfile).toMatch(
      /^ARG BASE_IMAGE=pinned\nFROM public\.ecr\.aws\/docker\/library\/node:24\.\S+@sha256:[0-9a-f]{64} AS pinned\nFROM \$\{BASE_IMAGE\}$/m,
    );
  });

  test('is built from one file and started as process 1', () => {
    const dockerfile = readFileSync(join(IMAGE_CONTEXT, 'Dockerfile'), 'utf8');
    expect(dockerfile).toContain('COPY index.mjs ./\nUSER node\n');
    const [, command = ''] = /^CMD (.+)$/m.exec(dockerfile) ?? [];
    expect(JSON.parse(command)).toEqual(['node', ...NODE_FLAGS, 'index.mjs']);
    expect(readFileSync(join(IMAGE_CONTEXT, 'index.mjs'), 'utf8')).toContain('upload server is listening');
  });
});

describe('a stage without large uploads', () => {
  test('has no network, no server, and an edge that names its limit', async () => {
    const off = await synthesize('dev', { largeUploads: 'off' });
    for (const type of [
      'AWS::EC2::VPC',
      'AWS::ECS::Service',
      'AWS::CloudFront::VpcOrigin',
      'Custom::GenwayRegion',
    ]) {
      off.resourceCountIs(type, 0);
    }
    off.hasResourceProperties('AWS::CloudFront::Function', {
      FunctionCode: Match.stringLikeRegexp('The file must be at most 4194304 bytes'),
    });
  });
});
