import { Aws, RemovalPolicy } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { type IKey, Key } from 'aws-cdk-lib/aws-kms';
import type { LogGroupProps } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { StageConfig } from '../stage/config.ts';

/** The deployer's key for what a table or a bucket of this id holds, if there is one. */
export const dataKeyOf = (scope: Construct, id: string, { own }: StageConfig): IKey | undefined =>
  keyByArn(scope, id, own.dataKeyArn);

/** How long the log group of this id is kept, and the deployer's key for it. */
export function logLifeOf(
  scope: Construct,
  id: string,
  { own, logRetentionDays }: StageConfig,
): Pick<LogGroupProps, 'retention' | 'removalPolicy' | 'encryptionKey'> {
  const encryptionKey = keyByArn(scope, id, own.logKeyArn);
  return {
    retention: logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
    ...(encryptionKey === undefined ? {} : { encryptionKey }),
  };
}

/** Its policy stays the deployer's: CDK cannot change that of a key which it has not made. */
const keyByArn = (scope: Construct, id: string, arn: string | undefined): IKey | undefined =>
  arn === undefined ? undefined : Key.fromKeyArn(scope, `${id}OwnKey`, arn);

/** A service uses the key in the name of whoever calls it, so callers need a right to the key: through that service alone. */
export function allowThrough(service: 'dynamodb' | 's3', key: IKey | undefined, grantee: IGrantable): void {
  if (key === undefined) return;
  Grant.addToPrincipal({
    grantee,
    actions: ACTIONS[service],
    resourceArns: [key.keyArn],
    conditions: { StringEquals: { 'kms:ViaService': `${service}.${Aws.REGION}.${Aws.URL_SUFFIX}` } },
  });
}

/**
 * What each service asks of a key for those who call it.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/UsingKMSEncryption.html
 */
const ACTIONS = {
  dynamodb: ['kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
  s3: ['kms:Decrypt', 'kms:GenerateDataKey'],
};
