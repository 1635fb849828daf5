import { describe, expect, test } from '@jest/globals';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { firewallArn } from '../../../lib/edge/firewall.ts';
import { stageConfig } from '../../../lib/stage/config.ts';
import { emptyStack } from './empty-stack.ts';

const NO_EFFECT = Match.stringLikeRegexp('addressRequestsPerMinute has no effect');

function made(region: string, changes = {}) {
  const stack = emptyStack(region);
  const arn = stack.resolve(firewallArn(stack, { ...stageConfig('prod'), ...changes }));
  return { arn, template: Template.fromStack(stack), annotations: Annotations.fromStack(stack) };
}

describe('the firewall of the edge', () => {
  test('counts requests by address, where CloudFormation can create one', () => {
    const { arn, template, annotations } = made('us-east-1');
    const [[id, { Properties }] = ['', { Properties: {} }], ...others] = Object.entries(
      template.findResources('AWS::WAFv2::WebACL'),
    );
    expect(others).toEqual([]);
    expect(arn).toEqual({ 'Fn::GetAtt': [id, 'Arn'] });
    annotations.hasNoWarning('*', NO_EFFECT);
    expect(Properties).toMatchObject({
      Scope: 'CLOUDFRONT',
      DefaultAction: { Allow: {} },
      VisibilityConfig: { SampledRequestsEnabled: false },
    });
    const [rule, ...more] = Properties.Rules;
    expect(more).toEqual([]);
    expect(rule.Statement).toEqual({
      RateBasedStatement: { Limit: 6_000, EvaluationWindowSec: 60, AggregateKeyType: 'IP' },
    });
    const { ResponseCode, ResponseHeaders, CustomResponseBodyKey } = rule.Action.Block.CustomResponse;
    expect(ResponseCode).toBe(429);
    expect(ResponseHeaders).toContainEqual({ Name: 'retry-after', Value: '60' });
    expect(JSON.parse(Properties.CustomResponseBodies[CustomResponseBodyKey].Content)).toMatchObject({
      error: { code: 429, metadata: { error_type: 'rate_limit_exceeded' } },
    });
  });

  test('is the one that the stage names', () => {
    const webAclArn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/w/1';
    const { arn, template } = made('us-east-1', { webAclArn });
    expect(arn).toBe(webAclArn);
    template.resourceCountIs('AWS::WAFv2::WebACL', 0);
  });

  test('is missing in other regions, with a warning', () => {
    const { arn, template, annotations } = made('eu-central-1');
    expect(arn).toBeUndefined();
    template.resourceCountIs('AWS::WAFv2::WebACL', 0);
    annotations.hasWarning('*', NO_EFFECT);
  });
});
