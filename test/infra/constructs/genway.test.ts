import { beforeAll, describe, expect, test } from '@jest/globals';
import { App, Stack } from 'aws-cdk-lib';

import { Match, Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Genway } from '../../../lib/genway.ts';
import { emptyStack } from './empty-stack.ts';

const settings = { data: 'destroy', largeUploads: 'off' } as const;

describe('a deployment within a stack of somebody else', () => {
  let template: Template;
  beforeAll(() => {
    const stack = emptyStack();
    new Topic(stack, 'Theirs');
    const operator = new Role(stack, 'Operator', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') });
    const gateway = new Genway(stack, 'Gateway', { name: 'media', settings });
    gateway.grantManagement(operator);
    expect(stack.resolve(gateway.url)).toEqual({ 'Fn::Join': ['', expect.arrayContaining(['/api/v1'])] });
    for (const { topicArn } of [gateway.pageTopic, gateway.ticketTopic])
      expect(stack.resolve(topicArn)).toEqual({ Ref: expect.stringMatching(/^GatewayObservability/) });
    template = Template.fromStack(stack);
  });

  test('has outputs by the names that tools know', () => {
    expect(Object.keys(template.findOutputs('*'))).toEqual(
      expect.arrayContaining(['ApiUrl', 'KeysTable', 'Feeds', 'ConsoleUrl', 'EdgeDomain']),
    );
  });

  test('tags its own resources, and no others', () => {
    const tags = [
      { Key: 'service', Value: 'genway' },
      { Key: 'stage', Value: 'media' },
    ];
    template.allResourcesProperties('AWS::Lambda::Function', { Tags: Match.arrayWith(tags) });
    const theirs = Object.entries(template.findResources('AWS::SNS::Topic')).filter(([id]) =>
      id.startsWith('Theirs'),
    );
    expect(theirs).toEqual([[expect.any(String), { Type: 'AWS::SNS::Topic' }]]);
  });

  test('grants management of keys, credits and offers, but no access to files, jobs or events', () => {
    const [policy] = Object.values(template.findResources('AWS::IAM::Policy'));
    const granted = JSON.stringify(policy);
    for (const table of ['Keys', 'Accounts', 'Lists', 'Workspaces', 'Guardrails', 'Routing'])
      expect(granted).toContain(`Gateway${table}`);
    expect(granted).not.toMatch(
      /GatewayFiles|GatewayVideos|GatewayWebhooks|GatewayProviderKeys|GatewayAudit/,
    );
  });
});

test('a stack holds one deployment, because tools know its outputs by their names', () => {
  const stack = emptyStack();
  new Genway(stack, 'First', { name: 'first', settings });
  expect(() => new Genway(stack, 'Second', { name: 'second', settings })).toThrow(
    'A stack can contain only one Genway',
  );
});

test('two deployments in one place have two names, because dashboards and metrics carry them', () => {
  const app = new App();
  const inStack = (id: string, name: string, region = 'eu-central-1') =>
    new Genway(new Stack(app, id, { env: { account: '123456789012', region } }), 'Gateway', {
      name,
      settings,
    });
  inStack('One', 'media');
  inStack('Two', 'other');
  inStack('Three', 'media', 'eu-west-1');
  expect(() => inStack('Four', 'media')).toThrow(
    'The stack One already has a Genway "media": give this one another name',
  );
});

test('a wrong setting is told by its path, with what would be right', () => {
  const wrong = { ...settings, throttle: { requestsPerSecond: 0, burst: 1 } };
  expect(() => new Genway(emptyStack(), 'Gateway', { name: 'media', settings: wrong })).toThrow(
    /throttle\.requestsPerSecond is 0: must be at least 1/,
  );
});
