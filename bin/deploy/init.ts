import { writeFile } from 'node:fs/promises';
import { Command } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { settingsFile } from '../../lib/stage/reference.ts';
import { stageName } from '../../lib/stage/settings/fields.ts';
import { errorCode } from '../../local/system/failure.ts';
import { examplesText } from '../cli/api-command.ts';
import { type Cli, CommandFailed, UsageError } from '../cli/cli.ts';

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
