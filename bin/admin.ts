import { parseArgs } from 'node:util';
import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { dynamo } from '../functions/aws/dynamo.ts';
import { systemClock } from '../functions/clock.ts';
import { createManagementKey, type DeploymentTables } from '../functions/keys/create-management-key.ts';

const HELP = `Administers a deployment of Genway with your AWS credentials and region, and nothing else.

  npm run admin -- create-management-key [--stage STAGE] [--name NAME]

      Makes a management key and prints it; it is never shown again.

  --stage STAGE   the deployment: dev (default), prod …
  --name NAME     what the key is listed as (default: "Management key")
  --help          this text
`;

class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Where the stack says its tables are. */
async function findTables(stage: string): Promise<DeploymentTables> {
  const stackName = `Genway-${stage}`;
  const { Stacks } = await new CloudFormationClient().send(
    new DescribeStacksCommand({ StackName: stackName }),
  );
  const output = (name: string): string => {
    const found = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
    if (found === undefined) throw new Error(`The stack ${stackName} has no output ${name}; deploy it again`);
    return found;
  };
  return { keys: output('KeysTable'), workspaces: output('WorkspacesTable') };
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      stage: { type: 'string', default: 'dev' },
      name: { type: 'string', default: 'Management key' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const [command, ...rest] = positionals;
  if (command !== 'create-management-key' || rest.length > 0) {
    throw new UsageError(
      command === undefined ? 'Name a command' : `No such command: ${positionals.join(' ')}`,
    );
  }
  const tables = await findTables(values.stage);
  process.stdout.write(`${await createManagementKey(dynamo, tables, values.name, systemClock())}\n`);
}

try {
  await run();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const isUsage = error instanceof UsageError || (error instanceof TypeError && 'code' in error);
  process.stderr.write(isUsage ? `${message}\n\n${HELP}` : `${message}\n`);
  process.exitCode = isUsage ? 2 : 1;
}
