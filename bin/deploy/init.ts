import { writeFile } from 'node:fs/promises';
import { Command } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { settingsFile } from '../../lib/stage/reference.ts';
import { stageName } from '../../lib/stage/settings/fields.ts';
import { errorCode } from '../../local/system/failure.ts';
import { visible } from '../../local/terminal/text.ts';
import { examplesText } from '../cli/api-command.ts';
import { type Cli, CommandFailed, UsageError } from '../cli/cli.ts';

export const initCommand = (cli: Cli) =>
  new Command('init')
    .description(
      `Writes a file of settings for a new stage, <stage>.jsonc: each setting is a comment that says what it does
and what it is by default. It replaces no file.`,
    )
    .argument('<stage>', 'the name of the stage: lower case, at most 20 characters')
    .addHelpText('after', examplesText(['init prod']))
    .action(async (stage) => {
      const name = v.safeParse(stageName, stage);
      if (!name.success) throw new UsageError(visible(`${stage} ${name.issues[0].message}, such as prod`));
      const file = `${stage}.jsonc`;
      await writeFile(file, settingsFile(), { flag: 'wx' }).catch((error) => {
        throw errorCode(error) === 'EEXIST' ? new CommandFailed(`${file} exists already`) : error;
      });
      cli.stdout.write(`${file} is written. Choose in it what differs from the defaults.
Next: genway doctor --config ${file}
Then: genway deploy --config ${file}
`);
    });
