import { Command } from '@commander-js/extra-typings';
import { textProgress } from '../../local/terminal/progress.ts';
import { visible } from '../../local/terminal/text.ts';
import { CONFIG_OPTION } from '../admin/admin.ts';
import { examplesText } from '../cli/api-command.ts';
import type { Cli } from '../cli/cli.ts';
import type { DeployerStages } from '../deployer-program.ts';

export const publishCommand = (cli: Cli, stages: DeployerStages) =>
  new Command('publish')
    .description(
      `Uploads the template and the assets of the stage of a file, and prints the name of its stack and the URL of its
template as JSON, for Terraform and other tools that deploy templates. Deploys nothing. Requires AWS credentials.`,
    )
    .requiredOption(...CONFIG_OPTION)
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
