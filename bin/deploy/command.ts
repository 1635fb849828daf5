import { writeFile } from 'node:fs/promises';
import { Command } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { settingsFile } from '../../lib/stage/reference.ts';
import { stageName } from '../../lib/stage/settings/fields.ts';
import { errorCode } from '../../local/system/failure.ts';
import { textProgress } from '../../local/terminal/progress.ts';
import { visible } from '../../local/terminal/text.ts';
import { passingManagementKey } from '../admin/keys-and-credits.ts';
import { isReplaced, lostBy, type PlannedChange } from '../changes/command.ts';
import { examplesText, folder } from '../cli/api-command.ts';
import { type Cli, CommandFailed, Interrupted, Unconfirmed, UsageError } from '../cli/cli.ts';
import type { DeployerStages } from '../deployer-program.ts';
import { reportFindings } from '../doctor/command.ts';
import { verifyStage } from '../verify/command.ts';
import type { Deployer, Plan } from './deployer.ts';

const SETTINGS_OPTION = [
  '--config <file>',
  'settings file, named after the stage, such as prod.jsonc',
  folder,
] as const;

/** A command that deploys the stage of a file. */
export const deploymentCommand = (name: string, description: string) =>
  new Command(name)
    .description(description)
    .requiredOption(...SETTINGS_OPTION)
    .option('--yes', 'deploy without asking')
    .option(
      '--allow <id...>',
      'allow the replacement or removal of these tables, buckets, KMS keys and queues (logical IDs), even if their data is lost',
    )
    .option('--no-verify', 'skip the verification of the stage')
    .addHelpText('after', examplesText([`${name} --config prod.jsonc`, `${name} --config prod.jsonc --yes`]));

export const deployCommand = (cli: Cli, stages: DeployerStages) =>
  deploymentCommand(
    'deploy',
    `Deploys the stage that a settings file describes. Runs the same checks as the doctor command, and shows the changes. If there are
any, shows the monthly cost of the idle stage, asks for confirmation, and deploys exactly these changes. Then verifies the stage with the
management key in GENWAY_API_KEY, or with a temporary one, and prints the URLs of the stage. Requires AWS credentials. Without a terminal, confirm with --yes.`,
  ).action(async (asked) => {
    const deployer = await stages.deployer(asked.config, cli.now(), cli.interrupted);
    try {
      await deployStage(deployer, asked, cli, stages);
    } finally {
      deployer.close();
    }
  });

interface AskedDeployment {
  readonly config: string;
  readonly yes?: true | undefined;
  readonly allow?: readonly string[] | undefined;
  readonly verify: boolean;
}

export async function deployStage(
  deployer: Deployer,
  asked: AskedDeployment,
  cli: Cli,
  stages: DeployerStages,
) {
  const tell = (line: string) => cli.stdout.write(`${visible(line)}\n`);
  const progress = textProgress(cli.stderr, () => cli.now().getTime());
  const { stack, region } = deployer;
  const stage = { stage: deployer.config.name, config: asked.config };
  reportFindings(await stages.examine(stage, cli.environment.CDK_DOCKER, cli.now()), asked.config, cli);
  const plan = await progress
    .step(`Preparing changes to ${stack} in ${region}`, deployer.prepare)
    .catch(async (error) => {
      // Whoever stops it here has seen nothing of what could be executed later.
      await discard(deployer, cli);
      throw error;
    });
  for (const line of planLines(plan, region)) tell(line);
  if (plan.changes.length > 0) {
    await agree(plan, deployer, asked, cli);
    await progress.step(`Deploying ${stack}`, deployer.execute).catch((error) => {
      if (!cli.interrupted.aborted) throw error;
      throw new Interrupted(
        'The command stopped. If CloudFormation has already started the deployment, the deployment continues',
      );
    });
  }
  const outputs = await deployer.outputs();
  const baseUrl = addressOf(deployer, outputs, cli);
  if (asked.verify) await tryStage(stack, baseUrl, outputs, cli, stages);
  tell(`API      ${baseUrl}`);
  if (outputs.ConsoleUrl !== undefined) tell(`Console  ${outputs.ConsoleUrl}`);
  const { domain, own } = deployer.config;
  if (domain !== undefined && own.hostedZoneId === undefined && outputs.EdgeDomain !== undefined)
    tell(`The DNS record of ${domain.name} must point to ${outputs.EdgeDomain}`);
  tell(
    `To create a management key, run: AWS_REGION=${region} npx genway admin create-management-key --stack ${stack}`,
  );
}

/** A plan in words: what is added and changed by kind, what goes away one by one, and what it costs. */
function planLines({ isFirst, changes, idle, pricedIn }: Plan, region: string): string[] {
  if (changes.length === 0) return ['No changes'];
  const kindOf = (change: PlannedChange) => {
    if (change.action === 'Add' || change.action === 'Remove') return change.action;
    return isReplaced(change) ? 'Replace' : 'Modify';
  };
  const { Add = [], Modify = [], Replace = [], Remove = [] } = Object.groupBy(changes, kindOf);
  const free = `or ${(idle.total - idle.free).toFixed(2)} in an account without other alarms and dashboards`;
  const prices =
    region === pricedIn ? '' : `, at the prices of ${pricedIn}, because Genway has none for ${region}`;
  return [
    ...(isFirst ? ['This is the first deployment'] : []),
    ...counted('Adds', Add),
    ...counted('Changes in place', Modify),
    ...listed('Replaces', Replace),
    ...listed('Removes', Remove),
    `The stage then costs about ${idle.total.toFixed(2)} USD a month while it is idle, ${free}${prices}`,
  ];
}

function counted(what: string, changes: readonly PlannedChange[]): string[] {
  if (changes.length === 0) return [];
  const kinds = [...Map.groupBy(changes, ({ type }) => type)];
  const lines = kinds
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([type, of]) => `  ${String(of.length).padStart(4)}  ${type}`);
  return [`${what}: ${changes.length}`, ...lines];
}

function listed(what: string, changes: readonly PlannedChange[]): string[] {
  if (changes.length === 0) return [];
  const perhaps = ({ replacement }: PlannedChange) =>
    replacement === 'Conditional' ? ' (may be replaced)' : '';
  const lines = changes.map((change) => `  ${change.type.padEnd(36)}  ${change.logicalId}${perhaps(change)}`);
  return [`${what}: ${changes.length}`, ...lines];
}

/** @throws CommandFailed, Unconfirmed; then the change set is gone */
async function agree({ changes }: Plan, deployer: Deployer, { yes, allow }: AskedDeployment, cli: Cli) {
  const lost = lostBy(changes, allow ?? []);
  for (const { logicalId, type, action, replacement } of lost) {
    const will = replacement === 'Conditional' ? 'might' : 'would';
    const what = action === 'Remove' ? 'removed from the stage' : 'replaced by a new one';
    cli.stdout.write(visible(`!!! DATA AT RISK: ${logicalId} (${type}) ${will} be ${what}`).concat('\n'));
  }
  try {
    if (lost.length > 0)
      throw new CommandFailed(
        'Nothing was deployed, because the stage could lose data. To deploy the changes, name each of these resources with --allow',
      );
    if (yes) return;
    const answer = await cli.ask(
      `Deploy these changes to ${deployer.stack} in ${deployer.region}? (yes/no) `,
    );
    if (answer === undefined)
      throw new Unconfirmed('Nothing was deployed. Without a terminal, confirm with --yes');
    if (!/^y(es)?$/i.test(answer.trim())) throw new Unconfirmed('Nothing was deployed');
  } catch (error) {
    await discard(deployer, cli);
    throw error;
  }
}

/** Who may only assume the bootstrap's roles may not do this. The error that led here stays the one that is shown. */
const discard = (deployer: Deployer, cli: Cli) =>
  deployer.discard().catch(({ message }) => {
    cli.stderr.write(
      `${visible(`Could not delete the change set of ${deployer.stack} or, if the stack is new, the empty stack: ${message}`)}\n`,
    );
  });

/** The emulator serves an API under its own address. */
function addressOf(
  { config }: Deployer,
  { ApiUrl = '', ApiId }: Readonly<Record<string, string>>,
  cli: Cli,
): string {
  if (config.platform === 'aws') return ApiUrl;
  return `${cli.environment.AWS_ENDPOINT_URL}/_aws/execute-api/${ApiId}/api/v1`;
}

/** With a key that lives as long as that takes, unless the environment has one. */
async function tryStage(
  stack: string,
  baseUrl: string,
  { ApiUrl, BackUrl }: Readonly<Record<string, string>>,
  cli: Cli,
  stages: DeployerStages,
): Promise<void> {
  const back = BackUrl === ApiUrl ? undefined : BackUrl;
  const { GENWAY_API_KEY: given } = cli.environment;
  if (given !== undefined) return verifyStage({ baseUrl, back, managementKey: given }, cli, stages);
  const { key, end } = await passingManagementKey(
    await stages.open(stack),
    'Verification of a deployment',
    cli,
  );
  try {
    await verifyStage({ baseUrl, back, managementKey: key }, cli, stages);
  } finally {
    await end();
  }
}

export const publishCommand = (cli: Cli, stages: DeployerStages) =>
  new Command('publish')
    .description(
      `Uploads the template and assets of a stage, and prints the stack's name and the template's URL as JSON, for
Terraform and other tools that deploy templates. Deploys nothing. Requires AWS credentials.`,
    )
    .requiredOption(...SETTINGS_OPTION)
    .addHelpText('after', examplesText(['publish --config prod.jsonc > genway.auto.tfvars.json']))
    .action(async ({ config }) => {
      const deployer = await stages.deployer(config, cli.now(), cli.interrupted);
      try {
        const progress = textProgress(cli.stderr, () => cli.now().getTime());
        const url = await progress.step(`Publishing ${deployer.stack}`, deployer.publish);
        const variables = { stack_name: deployer.stack, template_url: url };
        cli.stdout.write(`${visible(JSON.stringify(variables))}\n`);
      } finally {
        deployer.close();
      }
    });

export const initCommand = (cli: Cli) =>
  new Command('init')
    .description(
      `Creates the settings file of a new stage, <stage>.jsonc. Every setting is commented out, and has a description and
its default, if it has one. Never overwrites a file.`,
    )
    .argument(
      '<stage>',
      'name of the stage: a lowercase letter, then up to 19 lowercase letters, digits and hyphens',
    )
    .addHelpText('after', examplesText(['init prod']))
    .action(async (stage) => {
      const name = v.safeParse(stageName, stage);
      if (!name.success) throw new UsageError(`stage: ${name.issues[0].message}; example: prod`);
      const file = `${stage}.jsonc`;
      await writeFile(file, settingsFile(), { flag: 'wx' }).catch((error) => {
        throw errorCode(error) === 'EEXIST' ? new CommandFailed(`${file} already exists`) : error;
      });
      cli.stdout.write(`Created ${file}. Uncomment and change the settings that you need: usually account, region and videos.
Next: npx genway doctor --config ${file}
Then: npx genway deploy --config ${file}
`);
    });
