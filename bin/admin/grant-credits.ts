import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from '@commander-js/extra-typings';
import * as v from 'valibot';
import { grantCredits } from '../../functions/credits/grant.ts';
import { AccountStore } from '../../functions/money/account-store.ts';
import { formatUsd, type Micros, micros, usdAmount } from '../../functions/money/micros.ts';
import { type Admin, adminCommand } from './command.ts';

export const grantCreditsCommand = (admin: Admin) =>
  adminCommand(
    'grant-credits',
    `Adds to the deployment's credits and prints the total of all grants. After the first grant, video
jobs that the credits do not cover are refused; before it, credits refuse none.`,
    ['grant-credits 1000 --note "First quarter" --stage prod'],
  )
    .argument('<usd>', 'the amount', amount)
    .option('--note <note>', 'a note that is stored with the grant')
    .action(async (granted, { stage, note = null }) => {
      const { client, output } = await admin.open(stage);
      const grant = { micros: granted, note, grantedBy: 'admin command' };
      const accounts = new AccountStore(client, output('AccountsTable'));
      const ports = { client, accounts, now: admin.now, newId: randomUUID };
      const { limits } = await grantCredits(grant, () => ({}), ports);
      admin.print(`${formatUsd(limits.lifetime?.micros ?? micros(0))} granted in total`);
    });

function amount(text: string): Micros {
  const result = v.safeParse(usdAmount('more than zero'), text.trim() === '' ? Number.NaN : Number(text));
  if (!result.success) throw new InvalidArgumentError(`It ${result.issues[0].message}.`);
  return result.output;
}
