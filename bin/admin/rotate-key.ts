import { InvalidArgumentError } from '@commander-js/extra-typings';
import { KeyLives } from '../../functions/keys/key-lives.ts';
import { rotateKey } from '../../functions/keys/rotate-key.ts';
import { keyAccount } from '../../functions/money/account.ts';
import { visible } from '../../local/terminal/text.ts';
import { CommandFailed } from '../cli/cli.ts';
import { type Admin, adminCommand } from './command.ts';
import { findKey } from './find-key.ts';
import { keyStores } from './key-stores.ts';

const MOST_HOURS = 720;
const HOUR = 3_600_000;

export const rotateKeyCommand = (admin: Admin) =>
  adminCommand(
    'rotate-key',
    `Creates a new key with the same settings and prints it once. The old key stops working at once (it
may still read for up to 5 seconds), or after the overlap.`,
    ['rotate-key sk-gw-v1-abc...xyz --overlap 24 --stage prod'],
  )
    .argument('<hash|label>', 'the key to rotate, by its hash or label')
    .option('--overlap <hours>', `how long both keys work, 0 to ${MOST_HOURS}`, hours, 0)
    .action(async (hashOrLabel, { stage, overlap }) => {
      const deployment = await admin.open(stage);
      const stores = keyStores(deployment);
      const old = await findKey(stores.keys, hashOrLabel);
      if (old.disabled)
        throw new CommandFailed(`${old.label} (${visible(old.name)}) is disabled, so it cannot be rotated`);
      const { limits, counts_byok: countsByok } = await stores.accounts.readOne(keyAccount(old.hash));
      const ports = {
        lives: new KeyLives(stores),
        now: admin.now(),
        random: admin.random,
        money: { limits, countsByok },
      };
      admin.print(await rotateKey(old, overlap * HOUR, ports));
    });

function hours(text: string): number {
  const number = /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= MOST_HOURS)) throw new InvalidArgumentError(`It must be 0 to ${MOST_HOURS} hours.`);
  return number;
}
