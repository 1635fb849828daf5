import { Command } from '@commander-js/extra-typings';
import { visible, visibleLines } from '../../local/terminal/text.ts';
import { CONFIG_OPTION } from '../admin/admin.ts';
import { examplesText } from '../cli/api-command.ts';
import { type Cli, CommandFailed } from '../cli/cli.ts';
import type { DeployerStages } from '../deployer-program.ts';
import { type Finding, findingLine } from './finding.ts';

export const doctorCommand = (cli: Cli, stages: DeployerStages) =>
  new Command('doctor')
    .description(
      `Checks whether a stage can be deployed, and says how to fix each problem. Changes nothing.
Checks the settings, alarm recipients, retired models, credentials, account, bootstrap, stack, leftovers of an
earlier deployment, quotas, CloudFront, zones, Docker, certificate, and the keys and bucket in "own".`,
    )
    .option('--stage <stage>', 'stage to deploy, such as prod', 'dev')
    .option(...CONFIG_OPTION)
    .addHelpText('after', examplesText(['doctor --stage prod', 'doctor --config prod.jsonc']))
    .action(async ({ stage, config }) => {
      const findings = await stages.examine({ stage, config }, cli.environment.CDK_DOCKER, cli.now());
      reportFindings(findings, config ?? stage, cli);
    });

/** @throws CommandFailed that names the faults */
export function reportFindings(findings: readonly Finding[], what: string, { stdout }: Cli): void {
  for (const finding of findings) stdout.write(`${visibleLines(findingLine(finding), ' '.repeat(20))}\n`);
  const faults = findings.filter(({ kind }) => kind === 'fault').map(({ about }) => about);
  if (faults.length > 0)
    throw new CommandFailed(visible(`Before you deploy ${what}, fix: ${faults.join(', ')}`));
}
