import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { Deployment } from '../../../bin/admin/admin.ts';
import { AwsWorld } from '../../engines/index.ts';

const NOBODY = { region: 'us-east-1', credentials: { accessKeyId: 'nobody', secretAccessKey: 'none' } };

/** AWS clients for a command: DynamoDB and SQS run in a world's engines, the others call an endpoint. */
export function aDeployment(
  output: Deployment['output'],
  { world = new AwsWorld(), endpoint = 'http://127.0.0.1:9' }: { world?: AwsWorld; endpoint?: string } = {},
): Deployment {
  const { dynamo, kms, sqs } = world.startProcess();
  const settings = { ...NOBODY, endpoint };
  return {
    client: dynamo,
    kms,
    sqs,
    lambda: new LambdaClient(settings),
    scheduler: new SchedulerClient(settings),
    secrets: new SecretsManagerClient(settings),
    output,
  };
}
