import { createManagementKey } from '../../functions/keys/create-management-key.ts';
import type { Command } from './command.ts';
import { noArguments, parseCommandLine, STAGE_OPTION } from './command-line.ts';
import { keyStores } from './key-stores.ts';

export const createManagementKeyCommand: Command = {
  usage: 'create-management-key [--name NAME]',
  about: `Makes a management key and prints it; it is never shown again. The first key of a
deployment is made so.`,
  options: ['--name NAME     what the key is listed as (default: "Management key")'],

  async run(args, admin) {
    const { values, positionals } = parseCommandLine(args, {
      ...STAGE_OPTION,
      name: { type: 'string', default: 'Management key' },
    });
    noArguments(positionals);
    const deployment = await admin.open(values.stage);
    const stores = keyStores(deployment);
    admin.print(await createManagementKey(deployment.client, stores, values.name, admin.now()));
  },
};
