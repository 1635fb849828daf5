import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { routes } from '../../functions/endpoints/definitions.ts';
import { cloudFrontProgram } from '../../lib/edge/program.ts';
import { distributionOf } from './distribution.ts';
import { programsOf } from './roles.ts';
import { synthesize } from './template.ts';

let prod: Template;
beforeAll(async () => {
  prod = await synthesize('prod');
});

const distribution = () => distributionOf(prod, 'Edge').config;
/** A value that is computed during the deployment. */
const derivedValue = (name: string) => {
  const [id] = Object.keys(prod.findResources('Custom::GenwayValues'));
  return { 'Fn::GetAtt': [id, name] };
};
const isConsole = ({ PathPattern = '' }: { PathPattern?: string }) => PathPattern.startsWith('/console');
/** The console's origin is a bucket; the API's are not. */
const isOfTheApi = (origin: object) => !('S3OriginConfig' in origin);
/** The behaviours of the API's paths. */
const behaviours = () => [
  distribution().DefaultCacheBehavior,
  ...distribution().CacheBehaviors.filter((behaviour: object) => !isConsole(behaviour)),
];

test.each(['Edge', 'Downloads'] as const)(
  '%s keeps no error, which CloudFront would for ten seconds',
  (part) => {
    const { CustomErrorResponses = [] } = distributionOf(prod, part).config;
    expect(CustomErrorResponses).toEqual(
      [400, 403, 404, 405, 414, 500, 501, 502, 503, 504].map((ErrorCode) => ({
        ErrorCode,
        ErrorCachingMinTTL: 0,
      })),
    );
  },
);

describe('the edge', () => {
  test('accepts every method only over https, and never redirects a key sent in clear text', () => {
    for (const behaviour of behaviours()) {
      expect(behaviour.ViewerProtocolPolicy).toBe('https-only');
      expect(behaviour.AllowedMethods.toSorted()).toEqual([
        'DELETE',
        'GET',
        'HEAD',
        'OPTIONS',
        'PATCH',
        'POST',
        'PUT',
      ]);
    }
  });

  test('caches nothing and passes on everything except the host', () => {
    const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
    const allViewerExceptHostHeader = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';
    for (const behaviour of behaviours()) {
      expect(behaviour.CachePolicyId).toBe(cachingDisabled);
      expect(behaviour.OriginRequestPolicyId).toBe(allViewerExceptHostHeader);
    }
  });

  test('says how to authenticate, in the header that API Gateway renames', () => {
    const policies = Object.keys(prod.findResources('AWS::CloudFront::ResponseHeadersPolicy'));
    const [id, ...others] = policies.filter((policy) => !policy.startsWith('Console'));
    expect(others).toEqual([]);
    for (const behaviour of behaviours()) expect(behaviour.ResponseHeadersPolicyId).toEqual({ Ref: id });
    prod.hasResourceProperties('AWS::CloudFront::ResponseHeadersPolicy', {
      ResponseHeadersPolicyConfig: Match.objectLike({
        CustomHeadersConfig: { Items: [{ Header: 'www-authenticate', Value: 'Bearer', Override: false }] },
        RemoveHeadersConfig: { Items: [{ Header: 'x-amzn-remapped-www-authenticate' }] },
      }),
    });
  });

  test('runs its function for every request before forwarding it', () => {
    const names = Object.keys(prod.findResources('AWS::CloudFront::Function'));
    const name = names.find((id) => id.startsWith('Edge'));
    for (const behaviour of behaviours()) {
      expect(behaviour.FunctionAssociations).toEqual([
        { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [name, 'FunctionARN'] } },
      ]);
    }
    prod.hasResourceProperties('AWS::CloudFront::Function', {
      FunctionCode: cloudFrontProgram(),
      FunctionConfig: Match.objectLike({ Runtime: 'cloudfront-js-2.0' }),
    });
  });

  test('has the two origins that its function chooses between', () => {
    expect(
      distribution()
        .Origins.filter(isOfTheApi)
        .map(({ Id }: { Id: string }) => Id)
        .toSorted(),
    ).toEqual(['api', 'large-uploads']);
    expect(distribution().DefaultCacheBehavior.TargetOriginId).toBe('api');
    const uploads = ['/api/v1/files', '/api/v1/uploads/*/parts'];
    expect(behaviours().slice(1)).toEqual(
      uploads.map((PathPattern) => expect.objectContaining({ PathPattern, TargetOriginId: 'large-uploads' })),
    );
  });

  test('never changes the tags of its private origin', () => {
    const [origin] = Object.values(prod.findResources('AWS::CloudFront::VpcOrigin'));
    expect(origin!.Properties.Tags).toBeUndefined();
  });

  test('proves itself to both origins with a secret that callers cannot set', () => {
    for (const { OriginCustomHeaders } of distribution().Origins.filter(isOfTheApi)) {
      expect(OriginCustomHeaders).toEqual([
        { HeaderName: 'x-genway-edge', HeaderValue: derivedValue('EdgeSecret') },
      ]);
    }
  });

  test('is the only entrance: every program with requests knows the digest of its secret', () => {
    const answering = programsOf(prod).filter(({ name }) => name in routes || name === 'answer-unrouted');
    expect(answering).toHaveLength(Object.keys(routes).length + 1);
    for (const { variables } of answering) {
      expect(variables.EDGE_SECRET_SHA256).toEqual(derivedValue('EdgeSecretSha256'));
    }
  });

  test('sends a new secret only after the upload server knows it', () => {
    expect(distributionOf(prod, 'Edge').dependsOn).toContain(
      Object.keys(prod.findResources('AWS::ECS::Service'))[0],
    );
  });

  test('may be the deployer’s own, with its own secret', async () => {
    const digest = 'a'.repeat(64);
    const programs = programsOf(await synthesize('local', { edgeSecretSha256: [digest, digest] }));
    const { variables } = programs.find(({ name }) => name === 'get-video')!;
    expect(variables.EDGE_SECRET_SHA256).toBe(`${digest},${digest}`);
    const open = programsOf(await synthesize('local')).find(({ name }) => name === 'get-video')!;
    expect(open.variables).not.toHaveProperty('EDGE_SECRET_SHA256');
  });

  test('can have the stage’s own name, certificate and firewall, and then requires TLS 1.2', async () => {
    const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/c';
    const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/w/1';
    const domain = { name: 'api.example.com', certificateArn };
    const named = await synthesize('prod', { domain, webAclArn });
    named.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        Aliases: ['api.example.com'],
        ViewerCertificate: { AcmCertificateArn: certificateArn, MinimumProtocolVersion: 'TLSv1.2_2021' },
        WebACLId: webAclArn,
      },
    });
    expect(named.findOutputs('ApiUrl').ApiUrl?.Value).toBe('https://api.example.com/api/v1');
    const { variables } = programsOf(named).find(({ name }) => name === 'submit-video')!;
    expect(variables.PUBLIC_URL).toBe('https://api.example.com');
  });

  test('is the address that callers are told to use, if there is one', async () => {
    const address = (template: Template) => JSON.stringify(template.findOutputs('ApiUrl').ApiUrl);
    expect(address(prod)).toContain('EdgeDistribution');
    const none = await synthesize('local');
    expect(address(none)).toContain('execute-api');
    none.resourceCountIs('AWS::CloudFront::Distribution', 0);
  });
});
