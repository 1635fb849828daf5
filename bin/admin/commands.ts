import { Command } from '@commander-js/extra-typings';
import { examplesText } from '../cli/api-command.ts';
import type { Admin } from './command.ts';
import { createCanaryKeyCommand } from './create-canary-key.ts';
import { createManagementKeyCommand } from './create-management-key.ts';
import { disableKeyCommand } from './disable-key.ts';
import { endpointsCommand } from './endpoints.ts';
import { grantCreditsCommand } from './grant-credits.ts';
import { incidentCommand } from './incident/commands.ts';
import { listKeysCommand } from './list-keys.ts';
import { restoreRowsCommand } from './restore/command.ts';
import { rotateKeyCommand } from './rotate-key.ts';

/** Manages a deployment with AWS credentials, in the order in which the help lists it. */
export const adminCommands = (admin: Admin) =>
  new Command('admin')
    .description('Manages a deployment. It needs your AWS credentials and region, and no Genway key.')
    .addCommand(createManagementKeyCommand(admin))
    .addCommand(listKeysCommand(admin))
    .addCommand(disableKeyCommand(admin))
    .addCommand(rotateKeyCommand(admin))
    .addCommand(grantCreditsCommand(admin))
    .addCommand(createCanaryKeyCommand(admin))
    .addCommand(endpointsCommand(admin))
    .addCommand(restoreRowsCommand(admin))
    .addCommand(incidentCommand(admin))
    .addHelpText(
      'after',
      examplesText(['admin list-keys --stage prod', 'admin incident workers --stage prod']),
    );
