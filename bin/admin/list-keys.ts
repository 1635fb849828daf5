import { KeyStore, type StoredKey } from '../../functions/keys/key-store.ts';
import { type Admin, adminCommand } from './command.ts';

export const listKeysCommand = (admin: Admin) =>
  adminCommand(
    'list-keys',
    'Lists the management keys, oldest first: label, state, when it was last used, name and hash.',
    ['list-keys --all --stage prod', 'list-keys --json'],
  )
    .option('--all', 'also list API keys')
    .option('--json', 'print one JSON document in a line, with every field')
    .action(async ({ stage, all, json }) => {
      const { client, output } = await admin.open(stage);
      for await (const key of new KeyStore(client, output('KeysTable')).list()) {
        if (!all && key.kind !== 'management') continue;
        admin.print(json ? JSON.stringify(key) : keyLine(key, admin.now()));
      }
    });

function keyLine(key: StoredKey, now: Date): string {
  const lastUsed = key.last_used_at?.slice(0, 16) ?? 'never';
  return [key.label, state(key, now).padEnd(8), lastUsed.padEnd(16), key.name, key.hash].join('  ');
}

function state({ disabled, expires_at: expiry }: StoredKey, now: Date): string {
  if (disabled) return 'disabled';
  return expiry !== null && new Date(expiry) <= now ? 'expired' : 'live';
}
