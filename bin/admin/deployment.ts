import { CloudFormationClient, DescribeStacksCommand, type Output } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { dynamo } from '../../functions/aws/dynamo.ts';
import { kms } from '../../functions/aws/kms.ts';
import { sqs } from '../../functions/aws/sqs.ts';
import { CommandFailed } from '../cli/cli.ts';
import type { Deployment } from './admin.ts';

/** A stage's stack, in the account and region of the AWS credentials and settings. */
export async function openDeployment(stackName: string): Promise<Deployment> {
  const outputs = await outputsOf(stackName, new CloudFormationClient());
  return {
    client: dynamo,
    kms,
    lambda: new LambdaClient(),
    scheduler: new SchedulerClient(),
    secrets: new SecretsManagerClient(),
    sqs,
    output: (name) => {
      const found = outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
      if (found === undefined) {
        const needs = name === 'CanaryKey' ? ', with canary set to true, and with an edge or a domain' : '';
        throw new CommandFailed(
          `The stack ${stackName} has no output ${name}: deploy it with this version of Genway${needs}`,
        );
      }
      return found;
    },
  };
}

async function outputsOf(StackName: string, client: CloudFormationClient): Promise<Output[]> {
  try {
    const { Stacks } = await client.send(new DescribeStacksCommand({ StackName }));
    return Stacks?.[0]?.Outputs ?? [];
  } catch (error) {
    // CloudFormation has no error of its own for it.
    if (!(error instanceof Error && error.message.endsWith('does not exist'))) throw error;
    const region = await client.config.region();
    const what = `There is no stack ${StackName} in ${region}`;
    throw new CommandFailed(`${what}: check its name, AWS_REGION and AWS_PROFILE`, {
      cause: error,
    });
  }
}
