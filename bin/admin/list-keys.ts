import { KeyStore, type StoredKey } from '../../functions/keys/key-store.ts';
import type { Command } from './command.ts';
import { noArguments, parseCommandLine, STAGE_OPTION } from './command-line.ts';

export const listKeysCommand: Command = {
  usage: 'list-keys [--all] [--json]',
  about: `Lists the management keys, oldest first: label, state, when it was last used, name
and hash.`,
  options: ['--all           API keys too', '--json          one JSON document a line, with every field'],

  async run(args, admin) {
    const { values, positionals } = parseCommandLine(args, {
      ...STAGE_OPTION,
      all: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    });
    noArguments(positionals);
    const { client, output } = await admin.open(values.stage);
    for await (const key of new KeyStore(client, output('KeysTable')).list()) {
      if (!values.all && key.kind !== 'management') continue;
      admin.print(values.json ? JSON.stringify(key) : keyLine(key, admin.now()));
    }
  },
};

function keyLine(key: StoredKey, now: Date): string {
  const lastUsed = key.last_used_at?.slice(0, 16) ?? 'never';
  return [key.label, state(key, now).padEnd(8), lastUsed.padEnd(16), key.name, key.hash].join('  ');
}

function state({ disabled, expires_at: expiry }: StoredKey, now: Date): string {
  if (disabled) return 'disabled';
  return expiry !== null && new Date(expiry) <= now ? 'expired' : 'live';
}
