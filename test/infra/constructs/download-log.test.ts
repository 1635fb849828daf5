import { expect, test } from '@jest/globals';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { logDownloads } from '../../../lib/edge/download-log.ts';
import { stageConfig } from '../../../lib/stage/config.ts';
import { emptyStack } from './empty-stack.ts';

const NO_EFFECT = Match.stringLikeRegexp('downloadLog has no effect');

function made(region: string, downloadLog: boolean, name?: string) {
  const stack = emptyStack(region, name);
  const origin = new HttpOrigin('a.example');
  const distribution = new Distribution(stack, 'Distribution', { defaultBehavior: { origin } });
  logDownloads(distribution, { ...stageConfig('prod'), downloadLog });
  return { template: Template.fromStack(stack), annotations: Annotations.fromStack(stack) };
}

test('downloads are logged with their address, but without the signature that opens the file, or any header', () => {
  const { template, annotations } = made('us-east-1', true);
  const [{ Properties } = { Properties: {} }] = Object.values(template.findResources('AWS::Logs::Delivery'));
  expect(Properties.RecordFields).toEqual(expect.arrayContaining(['c-ip', 'cs-uri-stem', 'sc-status']));
  expect(Properties.RecordFields).not.toContainEqual(expect.stringMatching(/query|cookie|\(|forwarded/i));
  const arn = Match.objectLike({ 'Fn::Join': Match.anyValue() });
  template.hasResourceProperties('AWS::Logs::DeliverySource', { LogType: 'ACCESS_LOGS', ResourceArn: arn });
  template.hasResourceProperties('AWS::Logs::LogGroup', { RetentionInDays: 90 });
  annotations.hasNoWarning('*', NO_EFFECT);
});

test('of a stack with a long name the log has a name that CloudWatch takes', () => {
  const { template } = made('us-east-1', true, 's'.repeat(60));
  for (const type of ['AWS::Logs::DeliverySource', 'AWS::Logs::DeliveryDestination'])
    template.hasResourceProperties(type, { Name: `${'s'.repeat(50)}-downloads` });
});

test.each([
  ['eu-central-1', true],
  ['us-east-1', false],
])('nothing is logged in %s if the stage says %p', (region, downloadLog) => {
  const { template, annotations } = made(region, downloadLog);
  template.resourceCountIs('AWS::Logs::Delivery', 0);
  template.resourceCountIs('AWS::Logs::LogGroup', 0);
  if (downloadLog) annotations.hasWarning('*', NO_EFFECT);
  else annotations.hasNoWarning('*', NO_EFFECT);
});
