import { describe, expect, test } from '@jest/globals';
import { NestedStack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import type { AlarmRule, Condition } from '../../../lib/monitoring/alarm-rule.ts';
import { Alarms } from '../../../lib/monitoring/alarms.ts';
import { type StageConfig, stageConfig } from '../../../lib/stage/config.ts';
import { emptyStack } from './empty-stack.ts';

const tickets = 'arn:aws:sns:eu-central-1:123456789012:tickets';
const prod: StageConfig = {
  ...stageConfig('prod'),
  alarms: { page: ['on-call@example.com', 'https://example.com/page'], ticket: [tickets] },
};
const condition: Condition = {
  measure: { namespace: 'N', name: 'Failures', dimensions: {}, statistic: 'Sum', label: 'failures' },
  over: 0,
  minutes: 5,
};
const down: AlarmRule = {
  id: 'Down',
  severity: 'page',
  title: 'It is down',
  page: 'The canary fails',
  conditions: [condition],
};
const slow: AlarmRule = { ...down, id: 'Slow', severity: 'ticket', title: 'It is slow' };
const hourly: Condition = { ...condition, minutes: 60 };
const both: AlarmRule = { ...slow, id: 'Both', title: 'It is both', conditions: [condition, hourly] };
const once: AlarmRule = {
  ...both,
  conditions: [
    { ...condition, measure: { ...condition.measure, statistic: 'Average' }, over: 0.5 },
    { ...condition, over: 4 },
  ],
};

/** The templates of the topics, and of the alarms that rules make. */
function made(rules: readonly AlarmRule[], config = prod, region?: string) {
  const stack = emptyStack(region);
  const watch = new NestedStack(stack, 'Watch');
  new Alarms(stack, 'Alarms', { config, rules, watch });
  return { topics: Template.fromStack(stack), alarms: Template.fromStack(watch) };
}

function descriptionOf(rule: AlarmRule, region?: string): string | undefined {
  const { alarms } = made([rule], prod, region);
  const [alarm] = Object.values(alarms.findResources('AWS::CloudWatch::Alarm'));
  return alarm && resolved(alarm.Properties.AlarmDescription);
}

/** A text with the names of CloudFormation's values. */
const resolved = (text: { 'Fn::Join': [string, (string | { Ref: string })[]] }) =>
  text['Fn::Join'][1].map((part) => (typeof part === 'string' ? part : part.Ref)).join('');

describe('an alarm', () => {
  const topic = (severity: string) => ({ Ref: Match.stringLikeRegexp(`Alarms${severity}`) });

  test.each([
    ['page', down, [topic('page')]],
    ['ticket', slow, [topic('ticket'), tickets]],
  ])(
    'of severity %s notifies its topic and the deployer’s own, when it fires and when it ends',
    (_, rule, told) => {
      made([rule]).alarms.hasResourceProperties('AWS::CloudWatch::Alarm', {
        AlarmActions: told,
        OKActions: told,
      });
    },
  );

  test('says what is wrong, where to look in the console of its region, and what to do', () => {
    const home = 'https://AWS::Region.console.aws.amazon.com';
    expect(descriptionOf({ ...down, queue: 'jobs' })?.split('\n')).toEqual([
      'It is down.',
      `Dashboard: ${home}/cloudwatch/home?region=AWS::Region#dashboards/dashboard/Genway-prod-callers`,
      `Saved queries Genway/prod/canary-failures: ${home}/cloudwatch/home?region=AWS::Region#logsV2:logs-insights`,
      `Queue: ${home}/sqs/v3/home?region=AWS::Region#/queues/https%3A%2F%2Fsqs.AWS::Region.AWS::URLSuffix%2FAWS::AccountId%2Fjobs`,
      'What to do: docs/runbook.md#the-canary-fails',
    ]);
  });

  test.each([
    ['eu-central-1', 'console.aws.amazon.com'],
    ['cn-north-1', 'console.amazonaws.cn'],
    ['us-gov-west-1', 'console.amazonaws-us-gov.com'],
  ])('in %s leads to %s', (region, host) => {
    const links = descriptionOf({ ...down, queue: 'jobs' }, region)?.match(/(?<=https:\/\/)[^/]+/g);
    expect(links).toEqual(Array(3).fill(`AWS::Region.${host}`));
  });

  test('on the emulator has no link into the console', () => {
    made([down], { ...prod, platform: 'emulator' }).alarms.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmDescription: 'It is down.\nWhat to do: docs/runbook.md#the-canary-fails',
    });
  });

  test('of several conditions notifies once: its parts notify nobody', () => {
    const { alarms } = made([both]);
    alarms.resourceCountIs('AWS::CloudWatch::Alarm', 2);
    alarms.allResourcesProperties('AWS::CloudWatch::Alarm', {
      AlarmDescription: 'A part of: It is both',
      AlarmActions: Match.absent(),
      OKActions: Match.absent(),
    });
    alarms.hasResourceProperties('AWS::CloudWatch::CompositeAlarm', {
      AlarmActions: [topic('ticket'), tickets],
      OKActions: [topic('ticket'), tickets],
    });
  });

  test('of several conditions on one period is one alarm, because a composite one costs more', () => {
    const { alarms } = made([once]);
    alarms.resourceCountIs('AWS::CloudWatch::CompositeAlarm', 0);
    const [[id, alarm] = [], ...others] = Object.entries(alarms.findResources('AWS::CloudWatch::Alarm'));
    expect(others).toEqual([]);
    // The first part of the composite alarm that it was before: an update may not change a resource's type.
    expect(id).toMatch(/^Both0/);
    expect(alarm?.Properties).toMatchObject({
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
      AlarmDescription: expect.anything(),
      AlarmActions: expect.anything(),
      Metrics: [
        { Expression: 'IF(m0 > 0.5 AND m1 > 4, 1, 0)' },
        { Id: 'm0', MetricStat: { Period: 300, Stat: 'Average' }, ReturnData: false },
        { Id: 'm1', MetricStat: { Period: 300, Stat: 'Sum' }, ReturnData: false },
      ],
    });
  });

  test.each([
    ['one period', once],
    ['several', both],
  ])('on the emulator has its parts, on %s, but is no composite one', (_, rule) => {
    const { alarms } = made([rule], { ...prod, platform: 'emulator' });
    alarms.resourceCountIs('AWS::CloudWatch::CompositeAlarm', 0);
    alarms.resourceCountIs('AWS::CloudWatch::Alarm', 2);
  });
});

describe('a topic', () => {
  const { topics } = made([]);

  test('accepts only this account’s alarms, and only over TLS', () => {
    topics.resourceCountIs('AWS::SNS::Topic', 2);
    topics.resourceCountIs('AWS::SNS::TopicPolicy', 2);
    for (const { Properties } of Object.values(topics.findResources('AWS::SNS::TopicPolicy'))) {
      expect(Properties.PolicyDocument.Statement).toEqual([
        expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        {
          Sid: '1',
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
          Resource: Properties.Topics[0],
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        },
      ]);
    }
  });

  test('reaches an email address and an https address, which SNS asks first', () => {
    topics.resourceCountIs('AWS::SNS::Subscription', 2);
    for (const [Protocol, Endpoint] of [
      ['email', 'on-call@example.com'],
      ['https', 'https://example.com/page'],
    ]) {
      topics.hasResourceProperties('AWS::SNS::Subscription', { Protocol, Endpoint });
    }
  });
});
