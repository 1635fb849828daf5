import { KeyLives } from '../../functions/keys/key-lives.ts';
import { type Admin, adminCommand } from './command.ts';
import { findKey } from './find-key.ts';
import { keyStores } from './key-stores.ts';

export const disableKeyCommand = (admin: Admin) =>
  adminCommand(
    'disable-key',
    `Disables an API key or a management key. From then on it cannot create or change anything;
it may still read for up to 5 seconds. PATCH /keys/HASH can enable it again.`,
    ['disable-key sk-gw-v1-abc...xyz --stage prod'],
  )
    .argument('<hash|label>', 'the key to disable, by its hash or label')
    .action(async (hashOrLabel, { stage }) => {
      const deployment = await admin.open(stage);
      const stores = keyStores(deployment);
      const key = await findKey(stores.keys, hashOrLabel);
      await new KeyLives(stores).change(key.hash, { disabled: true }, admin.now());
      admin.print(`Disabled ${key.label} (${key.name})`);
    });
