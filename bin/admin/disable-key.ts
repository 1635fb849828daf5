import { KeyStore } from '../../functions/keys/key-store.ts';
import type { Command } from './command.ts';
import { onlyArgument, parseCommandLine, STAGE_OPTION } from './command-line.ts';
import { findKey } from './find-key.ts';

export const disableKeyCommand: Command = {
  usage: 'disable-key HASH|LABEL',
  about: `Disables an API key or a management key. It may pass for up to 30 seconds more, and
can be enabled again with PATCH /keys/HASH.`,
  options: [],

  async run(args, admin) {
    const { values, positionals } = parseCommandLine(args, STAGE_OPTION);
    const hashOrLabel = onlyArgument(positionals, 'the key to disable, by its hash or label');
    const { client, output } = await admin.open(values.stage);
    const keys = new KeyStore(client, output('KeysTable'));
    const key = await findKey(keys, hashOrLabel);
    await keys.update(key.hash, { disabled: true }, admin.now());
    admin.print(`Disabled ${key.label} (${key.name})`);
  },
};
