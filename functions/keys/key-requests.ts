import * as v from 'valibot';
import type { RateLimits } from '../http/call.ts';
import { LIMITED_CLASSES } from '../http/routes.ts';
import { OPERATION_GROUPS } from '../http/scope.ts';
import {
  characters,
  guardrailId,
  jsonObject,
  offsetPage,
  timestamp,
  trueOrFalse,
  workspaceId,
} from '../http/validation.ts';
import { usdAmount } from '../money/micros.ts';
import { isNetwork, NETWORK_RULE } from './networks.ts';

const flag = () => v.boolean('must be true or false');
const limit = v.pipe(
  v.nullable(usdAmount('zero')),
  v.description(
    'Spending limit in USD, with at most 6 decimals. Null: no limit. 0: only jobs that are free or do not count towards the limit',
  ),
);
const limitReset = v.pipe(
  v.nullable(
    v.picklist(['daily', 'weekly', 'monthly'], 'must be one of daily, weekly, monthly, or null for never'),
  ),
  v.description(
    'When `limit` resets, at 00:00 UTC: every day, every Monday, or on the 1st of the month. Null: never. Not stored if the key has no `limit`',
  ),
);

const guardrail = v.pipe(
  guardrailId('must be the ID (a UUID) of a guardrail, or null for the default guardrail of the workspace'),
  v.description(
    'ID of a guardrail of the key’s workspace, for jobs in that workspace. Null: the default guardrail of the workspace',
  ),
);

const RATE_RULE = 'must be a whole number of requests per minute, 1 to 60000, or null for the default';
const rate = v.pipe(
  v.number(RATE_RULE),
  v.integer(RATE_RULE),
  v.minValue(1, RATE_RULE),
  v.maxValue(60_000, RATE_RULE),
);
const rateLimits = v.pipe(
  jsonObject(
    v.pipe(
      v.strictObject({
        upload: v.nullish(rate),
        submit: v.nullish(rate),
        read: v.nullish(rate),
        admin: v.nullish(rate),
      }),
      v.description('Requests per minute. Fields that are null or omitted get the default of the deployment'),
    ),
  ),
  v.transform((given): RateLimits => {
    const own = LIMITED_CLASSES.flatMap((each) => {
      const perMinute = given[each];
      return perMinute === null || perMinute === undefined ? [] : [[each, perMinute]];
    });
    return Object.fromEntries(own);
  }),
);

const MOST = 20;
const limitedTo = <const Each extends v.GenericSchema>(each: Each, says: string) =>
  v.nullish(
    v.pipe(
      v.array(each, 'must be a list'),
      v.minLength(1, 'must have at least one item'),
      v.maxLength(MOST, `must have at most ${MOST} items`),
      v.description(says),
    ),
    null,
  );
const GROUP_RULE = `must be one of ${OPERATION_GROUPS.join(', ')}`;

const scope = jsonObject(
  v.pipe(
    v.strictObject({
      workspaces: limitedTo(
        v.pipe(workspaceId, v.description('ID or slug of a workspace')),
        'Workspaces in which a management key may act. Null or omitted: those of the caller. Not for API keys, which act only in their own workspace',
      ),
      operations: limitedTo(
        v.picklist(OPERATION_GROUPS, GROUP_RULE),
        'Allowed groups of operations. `read`: settings, lists, statuses, estimates and reports. `content`: the content of files, videos and private logs, and links to it. `generate`: the creation, upload, cancellation and deletion of videos and files. `webhooks`: webhooks and broadcast destinations. `keys`: keys, provider keys, and the assignment of guardrails to keys. `workspaces`: workspaces and guardrails. `money`: budgets and credits. `catalogue`: endpoints. API keys can have only `read`, `content`, `generate` and `webhooks`. Null or omitted: the groups of the caller that the key can have',
      ),
      networks: limitedTo(
        v.pipe(v.string(NETWORK_RULE), v.check(isNetwork, NETWORK_RULE)),
        'Allowed networks, as CIDR blocks. Null or omitted: those of the caller',
      ),
    }),
    v.description('Restrictions of the key, which never change. None can be looser than the caller’s'),
  ),
);

const name = v.pipe(characters(1, 100), v.description('Display name'));
const externalUser = v.pipe(
  v.nullable(characters(1, 256)),
  v.description('Your identifier for the end user to whom the key belongs'),
);
const expiresAt = (limit: string) =>
  v.pipe(
    v.nullable(timestamp),
    v.description(
      `Time of expiry, in the future. Null: never. If the calling key has an expiry, ${limit} than that expiry`,
    ),
  );
const byok = v.pipe(flag(), v.description('Whether jobs on your own provider keys count towards `limit`'));

export const newKeySchema = v.object({
  name,
  management: v.optional(
    v.pipe(flag(), v.description('Whether to create a management key instead of an API key')),
    false,
  ),
  workspace_id: v.optional(
    v.pipe(
      workspaceId,
      v.description(
        'ID or slug of the workspace of the key. Default: the first of `scope.workspaces`, or else the workspace of the caller',
      ),
    ),
  ),
  creator_user_id: v.pipe(
    v.nullish(characters(1, 100), null),
    v.description(
      'Your identifier for the user who creates the key. To restrict a provider key to the keys of a user, add this identifier to its `allowed_user_ids`',
    ),
  ),
  external_user: v.optional(externalUser, null),
  external: v.nullish(
    jsonObject(
      v.pipe(
        v.object({ user: characters(1, 256), api_key: v.nullish(characters(1, 256), null) }),
        v.description(
          'IDs of the key and of its user in another system. `external_user` defaults to this `user`',
        ),
      ),
    ),
    null,
  ),
  expires_at: v.optional(expiresAt('required and no later'), null),
  limit: v.optional(limit, null),
  limit_reset: v.optional(limitReset, null),
  include_byok_in_limit: v.optional(byok, false),
  rate_limits: v.optional(rateLimits, {}),
  guardrail_id: v.optional(guardrail, null),
  scope: v.optional(scope, {}),
});

export type RequestedKey = v.InferOutput<typeof newKeySchema>;

export const keyChangeSchema = v.object({
  name: v.exactOptional(name),
  workspace_id: v.exactOptional(
    v.pipe(
      workspaceId,
      v.description(
        'ID or slug of the workspace to move the key to. Existing jobs stay in their workspace. The move clears `guardrail_id` unless the request sets it',
      ),
    ),
  ),
  disabled: v.exactOptional(
    v.pipe(
      flag(),
      v.description(
        'Whether the key is disabled. A disabled key stops working within five seconds of the change. If no provider is known to have accepted a job of the key, the job ends without a charge. Accepted jobs continue',
      ),
    ),
  ),
  external_user: v.exactOptional(externalUser),
  expires_at: v.exactOptional(expiresAt('neither null nor later')),
  limit: v.exactOptional(limit),
  limit_reset: v.exactOptional(limitReset),
  include_byok_in_limit: v.exactOptional(byok),
  rate_limits: v.exactOptional(rateLimits),
  guardrail_id: v.exactOptional(guardrail),
  scope: v.optional(
    v.pipe(
      v.never('cannot be changed; create another key'),
      v.description('Do not send it. The scope of a key cannot be changed: create another key'),
    ),
  ),
});
export type RequestedKeyChange = v.InferOutput<typeof keyChangeSchema>;

/** The query of `GET /keys`. */
export const keyListQuery = {
  offset: offsetPage.offset,
  include_disabled: v.optional(v.pipe(trueOrFalse, v.description('`true` includes disabled keys')), 'false'),
  workspace_id: v.optional(
    v.pipe(
      workspaceId,
      v.description(
        'ID or slug of a workspace. Default: all workspaces. For a caller that is limited to certain workspaces, the default is its own workspace',
      ),
    ),
  ),
};
