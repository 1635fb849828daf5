import { Annotations, Aws, Stack } from 'aws-cdk-lib';
import type { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnDelivery, CfnDeliveryDestination, CfnDeliverySource, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { logLifeOf } from '../constructs/own-keys.ts';
import type { StageConfig } from '../stage/config.ts';

/** CloudFront hands its logs to CloudWatch here only, and a stack can only ask for that in its own region. */
const REGION_OF_LOGS = 'us-east-1';

/**
 * Who has read what, from where and when. Never the query, whose signature opens the file while it is valid, and no
 * header.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html
 */
const FIELDS = [
  'date',
  'time',
  'c-ip',
  'cs-method',
  'cs-uri-stem',
  'sc-status',
  'sc-bytes',
  'time-taken',
  'x-edge-request-id',
];

/** Logs each download, if the stage wants that and its region can. */
export function logDownloads(distribution: Distribution, config: StageConfig): void {
  if (!config.downloadLog) return;
  if (Stack.of(distribution).region === REGION_OF_LOGS) {
    new DownloadLog(distribution, 'Log', distribution.distributionArn, config);
    return;
  }
  Annotations.of(distribution).addWarningV2(
    'genway:no-download-log',
    `downloadLog has no effect: CloudFormation can set up the log of downloads only in ${REGION_OF_LOGS}.`,
  );
}

class DownloadLog extends Construct {
  constructor(scope: Construct, id: string, distributionArn: string, config: StageConfig) {
    super(scope, id);
    const { stackName } = Stack.of(this);
    // CloudWatch allows 60 characters, and CloudFormation 128 in the name of a stack.
    const name = `${stackName.slice(0, 50)}-downloads`;
    const group = new LogGroup(this, 'Lines', {
      logGroupName: `/${stackName}/downloads`,
      ...logLifeOf(this, 'Lines', config),
    });
    group.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('delivery.logs.amazonaws.com')],
        actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        resources: [group.logGroupArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
    );
    const source = new CfnDeliverySource(this, 'Source', {
      name,
      logType: 'ACCESS_LOGS',
      resourceArn: distributionArn,
    });
    const destination = new CfnDeliveryDestination(this, 'Destination', {
      name,
      outputFormat: 'json',
      destinationResourceArn: group.logGroupArn,
    });
    const delivery = new CfnDelivery(this, 'Delivery', {
      deliverySourceName: source.ref,
      deliveryDestinationArn: destination.attrArn,
      recordFields: FIELDS,
    });
    // Its policy is a child of the group.
    delivery.node.addDependency(group);
  }
}
