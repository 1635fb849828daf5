import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { describeCredits, grantSchema } from '../../credits/credits.ts';
import { grantCredits } from '../../credits/grant.ts';
import { readEnvironment } from '../../environment.ts';
import { answerOnce } from '../../gate/idempotency/answer-once.ts';
import { ReplayStore } from '../../gate/idempotency/replay-store.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { jsonBody } from '../../http/call.ts';
import { InvalidRequest } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import type { Account } from '../../money/account.ts';

const { ACCOUNTS_TABLE, REPLAYS_TABLE } = readEnvironment({
  ACCOUNTS_TABLE: v.string(),
  REPLAYS_TABLE: v.string(),
});
const replays = { replays: new ReplayStore(dynamo, REPLAYS_TABLE), now: systemClock };
const ports = { client: dynamo, accountsTable: ACCOUNTS_TABLE, now: systemClock, newId: randomUUID };

export const handler = routeHandler('grant-credits', (call) => {
  if (call.headers['idempotency-key'] === undefined) {
    throw new InvalidRequest('Idempotency-Key: is required, so that a repeated request grants once', {
      metadata: { path: 'Idempotency-Key' },
    });
  }
  return answerOnce(call, replays, async (remember) => {
    const { amount_usd: micros, note } = jsonBody(call, grantSchema);
    const grant = { micros, note, grantedBy: call.principal.keyHash };
    const answerWith = (credits: Account) => json(200, { data: describeCredits(credits) });
    return answerWith(await grantCredits(grant, (credits) => remember(answerWith(credits)), ports));
  });
});
