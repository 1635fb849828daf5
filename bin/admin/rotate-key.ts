import { KeyStore } from '../../functions/keys/key-store.ts';
import { copyLimit, rotateKey } from '../../functions/keys/rotate-key.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { type Command, CommandFailed } from './command.ts';
import { onlyArgument, parseCommandLine, STAGE_OPTION, UsageError } from './command-line.ts';
import { findKey } from './find-key.ts';

const MOST_HOURS = 720;
const HOUR = 3_600_000;

export const rotateKeyCommand: Command = {
  usage: 'rotate-key HASH|LABEL [--overlap HOURS]',
  about: `Makes a new key like that one and prints it; it is never shown again. The old one ends
at once (it may pass for up to 30 seconds more), or after the overlap.`,
  options: [`--overlap HOURS how long both keys work, 0 to ${MOST_HOURS} (default: 0)`],

  async run(args, admin) {
    const { values, positionals } = parseCommandLine(args, {
      ...STAGE_OPTION,
      overlap: { type: 'string', default: '0' },
    });
    const hashOrLabel = onlyArgument(positionals, 'the key to rotate, by its hash or label');
    const overlap = hours(values.overlap) * HOUR;
    const { client, output } = await admin.open(values.stage);
    const keys = new KeyStore(client, output('KeysTable'));
    const old = await findKey(keys, hashOrLabel);
    if (old.disabled) throw new CommandFailed(`${old.label} (${old.name}) is disabled: nothing to rotate`);
    const accountsTable = output('AccountsTable');
    const accounts = new AccountStore(client, accountsTable);
    const ports = {
      keys,
      now: admin.now(),
      random: admin.random,
      copyLimit: (to: string) => copyLimit(accounts, accountsTable, old.hash, to),
    };
    admin.print(await rotateKey(old, overlap, ports));
  },
};

function hours(text: string): number {
  const number = /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= MOST_HOURS)) throw new UsageError(`--overlap: must be 0 to ${MOST_HOURS} hours`);
  return number;
}
