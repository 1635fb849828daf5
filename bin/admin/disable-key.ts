import { KeyLives } from '../../functions/keys/key-lives.ts';
import type { Command } from './command.ts';
import { onlyArgument, parseCommandLine, STAGE_OPTION } from './command-line.ts';
import { findKey } from './find-key.ts';
import { keyStores } from './key-stores.ts';

export const disableKeyCommand: Command = {
  usage: 'disable-key HASH|LABEL',
  about: `Disables an API key or a management key. From then on it cannot create or change anything;
it may still read for up to 5 seconds. PATCH /keys/HASH can enable it again.`,
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
