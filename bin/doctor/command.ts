import { Command } from '@commander-js/extra-typings';
import { visible, visibleLines } from '../../local/terminal/text.ts';
import { CONFIG_OPTION } from '../admin/admin.ts';
import { examplesText } from '../cli/api-command.ts';
import { type Cli, CommandFailed } from '../cli/cli.ts';
import type { Stages } from '../program.ts';
import { findingLine } from './finding.ts';

export const doctorCommand = (cli: Cli, stages: Stages) =>
  new Command('doctor')
    .description(
      `Checks everything that a deployment of a stage needs, and says what to do if something is missing:
settings, who gets alarms, models that end, credentials, account, bootstrap, the stack, what an earlier deployment has left,
quotas, CloudFront, zones, Docker, certificate. It changes nothing.`,
    )
    .option('--stage <stage>', 'the stage to deploy: dev, prod …', 'dev')
    .option(...CONFIG_OPTION)
    .addHelpText('after', examplesText(['doctor --stage prod', 'doctor --config prod.jsonc']))
    .action(async ({ stage, config }) => {
      const findings = await stages.examine({ stage, config }, cli.environment.CDK_DOCKER, cli.now());
      for (const finding of findings)
        cli.stdout.write(`${visibleLines(findingLine(finding), ' '.repeat(20))}\n`);
      const faults = findings.filter(({ kind }) => kind === 'fault');
      if (faults.length > 0) {
        const what = faults.map(({ about }) => about).join(', ');
        throw new CommandFailed(visible(`${config ?? stage} cannot be deployed yet: ${what}`));
      }
    });
