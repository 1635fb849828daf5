import { randomBytes } from 'node:crypto';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { jsonBody } from '../../http/call.ts';
import { InvalidRequest } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { issueKey, newKeySchema } from '../../keys/key.ts';
import { changeKeyLimit } from '../../keys/key-limit.ts';
import { WorkspaceMissing } from '../../keys/key-lives.ts';
import { describeKey } from '../../keys/key-view.ts';
import { emptyAccount, keyAccount } from '../../money/account.ts';
import { keyLives } from './deployed-lives.ts';

const lives = keyLives();

export const handler = routeHandler('create-key', async (call) => {
  const requested = jsonBody(call, newKeySchema);
  const now = systemClock();
  const { key, stored } = issueKey(
    {
      kind: requested.management ? 'management' : 'normal',
      name: requested.name,
      workspaceId: requested.workspace_id?.toLowerCase() ?? call.principal.workspaceId,
      creatorUserId: requested.creator_user_id,
      externalUser: requested.external_user,
      expiresAt: requested.expires_at,
      rateLimits: requested.rate_limits,
    },
    now,
    randomBytes,
  );
  const unlimited = emptyAccount(keyAccount(stored.hash));
  const { limits, countsByok } = changeKeyLimit(unlimited, requested, now);
  const account = { ...unlimited, limits, counts_byok: countsByok };
  try {
    await lives.begin(stored, { limits, countsByok });
  } catch (cause) {
    if (!(cause instanceof WorkspaceMissing)) throw cause;
    throw new InvalidRequest('workspace_id: no such workspace', {
      metadata: { path: 'workspace_id' },
      cause,
    });
  }
  return json(201, { data: describeKey(stored, account, now), key });
});
