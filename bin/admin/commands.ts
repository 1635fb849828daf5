import type { Command } from './command.ts';
import { createManagementKeyCommand } from './create-management-key.ts';
import { disableKeyCommand } from './disable-key.ts';
import { endpointsCommand } from './endpoints.ts';
import { grantCreditsCommand } from './grant-credits.ts';
import { listKeysCommand } from './list-keys.ts';
import { quarantineCommand } from './quarantine.ts';
import { rotateKeyCommand } from './rotate-key.ts';

/** Every subcommand of `npm run admin`, in the order in which the help lists them. */
export const commands: ReadonlyMap<string, Command> = new Map([
  ['create-management-key', createManagementKeyCommand],
  ['list-keys', listKeysCommand],
  ['disable-key', disableKeyCommand],
  ['rotate-key', rotateKeyCommand],
  ['grant-credits', grantCreditsCommand],
  ['quarantine', quarantineCommand],
  ['endpoints', endpointsCommand],
]);
