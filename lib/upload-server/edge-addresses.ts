import { RemovalPolicy } from 'aws-cdk-lib';
import { type IPeer, Peer } from 'aws-cdk-lib/aws-ec2';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { AwsCustomResource, AwsCustomResourcePolicy, PhysicalResourceId } from 'aws-cdk-lib/custom-resources';
import type { Construct } from 'constructs';
import type { StageConfig } from '../stage-config.ts';

const NAME = 'com.amazonaws.global.cloudfront.origin-facing';

/**
 * The addresses from which CloudFront reaches origins: a list that AWS keeps in every region, under an id that
 * CloudFormation cannot tell and that is looked up while it deploys.
 */
export function edgeAddresses(scope: Construct, id: string, config: StageConfig): IPeer {
  const lookUp = {
    service: 'EC2',
    action: 'describeManagedPrefixLists',
    parameters: { Filters: [{ Name: 'prefix-list-name', Values: [NAME] }] },
    outputPaths: ['PrefixLists.0.PrefixListId'],
    physicalResourceId: PhysicalResourceId.of(NAME),
  };
  const list = new AwsCustomResource(scope, id, {
    onCreate: lookUp,
    onUpdate: lookUp,
    policy: AwsCustomResourcePolicy.fromStatements([
      // EC2 knows no narrower resource for this action.
      new PolicyStatement({ actions: ['ec2:DescribeManagedPrefixLists'], resources: ['*'] }),
    ]),
    installLatestAwsSdk: false,
    logGroup: new LogGroup(scope, `${id}Logs`, {
      retention: config.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    }),
  });
  return Peer.prefixList(list.getResponseField('PrefixLists.0.PrefixListId'));
}
