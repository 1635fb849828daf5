import { Aws } from 'aws-cdk-lib';
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription, UrlSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { StageConfig } from '../stage-config.ts';
import type { Severity } from './alarm-rule.ts';

/**
 * Where alarms of one severity go: to a topic of the stage, which others can subscribe to, and to topics that the
 * deployer already has.
 */
export class Notifications extends Construct {
  readonly topic: Topic;
  readonly actions: readonly IAlarmAction[];

  constructor(scope: Construct, severity: Severity, { name, alarms }: StageConfig) {
    super(scope, severity);
    // Not encrypted with SNS's own key, because alarms could not publish to it. Their text is no secret.
    this.topic = new Topic(this, 'Topic', { displayName: `Genway ${name}: ${severity}`, enforceSSL: true });
    // A topic with its own policy only accepts what this policy allows.
    const conditions = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } };
    this.topic.grantPublish(new ServicePrincipal('cloudwatch.amazonaws.com', { conditions }));
    const targets = alarms[severity];
    for (const target of targets.filter((one) => !one.startsWith('arn:'))) {
      this.topic.addSubscription(
        target.startsWith('https:') ? new UrlSubscription(target) : new EmailSubscription(target),
      );
    }
    const theirs = targets
      .filter((one) => one.startsWith('arn:'))
      .map((arn, index) => Topic.fromTopicArn(this, `Theirs${index}`, arn));
    this.actions = [this.topic, ...theirs].map((topic) => new SnsAction(topic));
  }
}
