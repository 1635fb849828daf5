import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import { conditionFailed } from '../../aws/conditions.ts';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { readEnvironment } from '../../environment.ts';
import { routeHandler } from '../../gate/lambda.ts';
import { jsonBody } from '../../http/call.ts';
import { InvalidRequest } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { issueKey, newKeySchema } from '../../keys/key.ts';
import { changeKeyLimit } from '../../keys/key-limit.ts';
import { KeyStore } from '../../keys/key-store.ts';
import { describeKey } from '../../keys/key-view.ts';
import { emptyAccount, keyAccount } from '../../money/account.ts';
import { limitsUpdate } from '../../money/limits.ts';
import { holdWorkspace } from '../../workspaces/workspace-store.ts';

const { KEYS_TABLE, ACCOUNTS_TABLE, WORKSPACES_TABLE } = readEnvironment({
  KEYS_TABLE: v.string(),
  ACCOUNTS_TABLE: v.string(),
  WORKSPACES_TABLE: v.string(),
});
const keys = new KeyStore(dynamo, KEYS_TABLE);

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
  const setLimit = {
    Update: { TableName: ACCOUNTS_TABLE, ...limitsUpdate(unlimited, { limits, countsByok }) },
  };
  try {
    await keys.create(stored, [holdWorkspace(WORKSPACES_TABLE, stored.workspace_id), setLimit]);
  } catch (cause) {
    if (!conditionFailed(cause, 1)) throw cause;
    throw new InvalidRequest('workspace_id: no such workspace', {
      metadata: { path: 'workspace_id' },
      cause,
    });
  }
  return json(201, { data: describeKey(stored, account, now), key });
});
