import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { dynamo } from '../../functions/aws/dynamo.ts';
import { sqs } from '../../functions/aws/sqs.ts';
import { CommandFailed, type Deployment } from './command.ts';

/** The stack of a stage, in the account and region of the AWS credentials and settings. */
export async function openDeployment(stage: string): Promise<Deployment> {
  const stackName = `Genway-${stage}`;
  const { Stacks } = await new CloudFormationClient().send(
    new DescribeStacksCommand({ StackName: stackName }),
  );
  const outputs = Stacks?.[0]?.Outputs ?? [];
  return {
    client: dynamo,
    lambda: new LambdaClient(),
    scheduler: new SchedulerClient(),
    secrets: new SecretsManagerClient(),
    sqs,
    output: (name) => {
      const found = outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
      if (found === undefined)
        throw new CommandFailed(`The stack ${stackName} has no output ${name}; deploy it again`);
      return found;
    },
  };
}
