import { KeyLives } from '../../functions/keys/key-lives.ts';
import type { Command } from './command.ts';
import { onlyArgument, parseCommandLine, STAGE_OPTION } from './command-line.ts';
import { findKey } from './find-key.ts';
import { keyStores } from './key-stores.ts';

export const disableKeyCommand: Command = {
  usage: 'disable-key HASH|LABEL',
  about: `Disables an API key or a management key. It makes, stores and manages nothing from then
on, may read for up to 5 seconds more, and can be enabled again with PATCH /keys/HASH.`,
  options: [],

  async run(args, admin) {
    const { values, positionals } = parseCommandLine(args, STAGE_OPTION);
    const hashOrLabel = onlyArgument(positionals, 'the key to disable, by its hash or label');
    const deployment = await admin.open(values.stage);
    const stores = keyStores(deployment);
    const key = await findKey(stores.keys, hashOrLabel);
    await new KeyLives(deployment.client, stores).change(key.hash, { disabled: true }, admin.now());
    admin.print(`Disabled ${key.label} (${key.name})`);
  },
};
