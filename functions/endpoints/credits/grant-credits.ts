import { randomUUID } from 'node:crypto';
import { noteChange } from '../../audit/changed-fields.ts';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { deployedReplays, routeHandler } from '../../deployed/gate.ts';
import { accountStore } from '../../deployed/stores.ts';
import { answerOnce } from '../../gate/answer-once.ts';
import { jsonBody } from '../../http/call.ts';
import { invalidField } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { describeCredits, grantSchema } from '../../money/credits.ts';
import { grantCredits } from '../../money/grant-credits.ts';
import type { WholeCredits } from '../../money/lease-store.ts';
import { microsToUsd } from '../../money/micros.ts';
import { routes } from './definition.ts';

const replays = deployedReplays();
const ports = { client: dynamo, accounts: accountStore(), now: systemClock, newId: randomUUID };

export const handler = routeHandler(routes['grant-credits'], (call) => {
  if (call.headers['idempotency-key'] === undefined) {
    throw invalidField(
      'Idempotency-Key',
      'is required, so that repeating the request does not grant the credits again',
    );
  }
  return answerOnce(call, replays, async (remember) => {
    const { amount_usd: micros, note } = jsonBody(call, grantSchema);
    const grant = { micros, note, grantedBy: call.principal.keyHash };
    noteChange(call, ['amount_usd'], undefined, { amount_usd: microsToUsd(micros) });
    const answerWith = (credits: WholeCredits) => json(200, { data: describeCredits(credits) });
    return answerWith(await grantCredits(grant, (credits) => remember(answerWith(credits)), ports));
  });
});
