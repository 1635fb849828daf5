import { beforeAll, describe, expect, test } from '@jest/globals';
import { Match, type Template } from 'aws-cdk-lib/assertions';
import { cloudFrontProgram } from '../../lib/edge/program.ts';
import { synthesize } from './template.ts';

let prod: Template;
beforeAll(() => {
  prod = synthesize('prod');
});

function distribution() {
  const [found] = Object.values(prod.findResources('AWS::CloudFront::Distribution'));
  return found!.Properties.DistributionConfig;
}
const behaviours = () => [distribution().DefaultCacheBehavior, ...distribution().CacheBehaviors];

describe('the edge', () => {
  test('takes every method over https alone, and never redirects a key that was sent in the clear', () => {
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

  test('caches nothing and passes on all but the host', () => {
    const cachingDisabled = '4135ea2d-6df8-44a3-9df3-4b5a84be39ad';
    const allViewerExceptHostHeader = 'b689b0a8-53d0-40ab-baf2-68738e2966ac';
    for (const behaviour of behaviours()) {
      expect(behaviour.CachePolicyId).toBe(cachingDisabled);
      expect(behaviour.OriginRequestPolicyId).toBe(allViewerExceptHostHeader);
    }
  });

  test('asks its function about every request before it is sent on', () => {
    const [name] = Object.keys(prod.findResources('AWS::CloudFront::Function'));
    for (const behaviour of behaviours()) {
      expect(behaviour.FunctionAssociations).toEqual([
        { EventType: 'viewer-request', FunctionARN: { 'Fn::GetAtt': [name, 'FunctionARN'] } },
      ]);
    }
    prod.hasResourceProperties('AWS::CloudFront::Function', {
      FunctionCode: cloudFrontProgram(true),
      FunctionConfig: Match.objectLike({ Runtime: 'cloudfront-js-2.0' }),
    });
  });

  test('has the two origins that its function chooses between', () => {
    expect(
      distribution()
        .Origins.map(({ Id }: { Id: string }) => Id)
        .toSorted(),
    ).toEqual(['api', 'large-uploads']);
    expect(distribution().DefaultCacheBehavior.TargetOriginId).toBe('api');
    expect(distribution().CacheBehaviors).toEqual([
      expect.objectContaining({ PathPattern: '/api/v1/files', TargetOriginId: 'large-uploads' }),
    ]);
  });

  test('keeps the tags of its private origin as they are', () => {
    const [origin] = Object.values(prod.findResources('AWS::CloudFront::VpcOrigin'));
    expect(origin!.Properties.Tags).toBeUndefined();
  });

  test('is what callers are told to use, where there is one', () => {
    const address = (template: Template) => JSON.stringify(template.findOutputs('ApiUrl').ApiUrl);
    expect(address(prod)).toContain('EdgeDistribution');
    const none = synthesize('local');
    expect(address(none)).toContain('execute-api');
    none.resourceCountIs('AWS::CloudFront::Distribution', 0);
  });
});
