import { KeyLives } from '../../functions/keys/key-lives.ts';
import { rotateKey } from '../../functions/keys/rotate-key.ts';
import { keyAccount } from '../../functions/money/account.ts';
import { visible } from '../../local/terminal/visible.ts';
import { type Command, CommandFailed } from './command.ts';
import { onlyArgument, parseCommandLine, STAGE_OPTION, UsageError } from './command-line.ts';
import { findKey } from './find-key.ts';
import { keyStores } from './key-stores.ts';

const MOST_HOURS = 720;
const HOUR = 3_600_000;

export const rotateKeyCommand: Command = {
  usage: 'rotate-key HASH|LABEL [--overlap HOURS]',
  about: `Makes a new key with the same settings and prints it once. The old key stops working
at once (it may still read for up to 5 seconds), or after the overlap.`,
  options: [`--overlap HOURS how long both keys work, 0 to ${MOST_HOURS} (default: 0)`],

  async run(args, admin) {
    const { values, positionals } = parseCommandLine(args, {
      ...STAGE_OPTION,
      overlap: { type: 'string', default: '0' },
    });
    const hashOrLabel = onlyArgument(positionals, 'the key to rotate, by its hash or label');
    const overlap = hours(values.overlap) * HOUR;
    const deployment = await admin.open(values.stage);
    const stores = keyStores(deployment);
    const old = await findKey(stores.keys, hashOrLabel);
    if (old.disabled)
      throw new CommandFailed(visible(`${old.label} (${old.name}) is disabled, so it cannot be rotated`));
    const { limits, counts_byok: countsByok } = await stores.accounts.readOne(keyAccount(old.hash));
    const ports = {
      lives: new KeyLives(deployment.client, stores),
      now: admin.now(),
      random: admin.random,
      money: { limits, countsByok },
    };
    admin.print(await rotateKey(old, overlap, ports));
  },
};

function hours(text: string): number {
  const number = /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= MOST_HOURS)) throw new UsageError(`--overlap must be 0 to ${MOST_HOURS} hours`);
  return number;
}
