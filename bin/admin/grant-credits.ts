import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { grantCredits } from '../../functions/credits/grant.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { formatUsd, usdAmount } from '../../functions/money/micros.ts';
import type { Command } from './command.ts';
import { onlyArgument, parseCommandLine, STAGE_OPTION, UsageError } from './command-line.ts';

export const grantCreditsCommand: Command = {
  usage: 'grant-credits USD [--note NOTE]',
  about: `Adds to the deployment's credits and prints what has been granted in all. From the first
grant on, video jobs that credits do not cover are refused; before it none are.`,
  options: ['--note NOTE     kept with the grant'],

  async run(args, admin) {
    const { values, positionals } = parseCommandLine(args, { ...STAGE_OPTION, note: { type: 'string' } });
    const micros = amount(onlyArgument(positionals, 'the amount in USD'));
    const { client, output } = await admin.open(values.stage);
    const grant = { micros, note: values.note ?? null, grantedBy: 'admin command' };
    const accounts = new AccountStore(client, output('AccountsTable'));
    const ports = { client, accounts, now: admin.now, newId: randomUUID };
    const { limits } = await grantCredits(grant, () => ({}), ports);
    admin.print(`${formatUsd(limits.lifetime?.micros ?? 0)} granted in all`);
  },
};

function amount(text: string): number {
  const result = v.safeParse(usdAmount('more than zero'), text.trim() === '' ? Number.NaN : Number(text));
  if (!result.success) throw new UsageError(`${text}: ${result.issues[0].message}`);
  return result.output;
}
