import * as v from 'valibot';
import { shownApprovalSchema } from '../../approvals/shown-approval.ts';
import { dataSchema, deletedSchema } from '../../http/answer-schemas.ts';
import { keyed, managed, open, routesOf } from '../../http/routes.ts';
import { keyChangeSchema, keyListQuery, newKeySchema } from '../../keys/key-requests.ts';
import { oidcSignInSchema, shownIssuerSchema } from '../../keys/oidc-settings.ts';
import { createdSessionSchema, shownSessionSchema } from '../../keys/sessions.ts';
import { createdKeySchema, shownCurrentKeySchema, shownKeySchema } from '../../keys/shown-key.ts';
import type { Operations } from '../../openapi/operation.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'create-key': managed('POST', '/keys', 'keys'),
  'list-keys': managed('GET', '/keys', 'read'),
  'get-key': managed('GET', '/keys/{hash}', 'read'),
  'update-key': managed('PATCH', '/keys/{hash}', 'keys'),
  'delete-key': managed('DELETE', '/keys/{hash}', 'keys'),
  'get-current-key': keyed('GET', '/key', 'read', 'read'),
  'create-session': keyed('POST', '/sessions', 'admin', 'read'),
  // A renewal changes nothing of the deployment, and there is one every few minutes.
  'renew-session': { ...keyed('POST', '/sessions/current/renew', 'read', 'read'), recorded: false },
  'get-oidc': open('/sessions/oidc'),
  'create-oidc-session': { method: 'POST', path: '/sessions/oidc', access: 'public' },
  // Without a limit: whoever has stolen a session could use it up, and so keep its owner from ending it.
  'end-session': { method: 'DELETE', path: '/sessions/current', access: 'key', group: 'read' },
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () => {
  const key = { says: 'The key.', body: dataSchema(shownKeySchema) };
  const session = { says: 'The session.', body: dataSchema(shownSessionSchema) };
  const deleted = { says: 'The key is deleted.', body: deletedSchema };
  return {
    'create-key': {
      tag: 'Keys',
      summary: 'Create a key',
      description:
        'Creates an API key or a management key. Store the returned `key`, because it is never shown again.',
      body: newKeySchema,
      answers: {
        201: {
          says: 'The key. No other response contains the key itself.',
          headers: ['location'],
          body: createdKeySchema,
        },
        202: {
          says: 'Sent for a new management key if the deployment requires approvals. The key does not work until a management key of another line has approved it.',
          body: v.object({ data: shownApprovalSchema, key: createdKeySchema.entries.key }),
        },
      },
    },
    'list-keys': {
      tag: 'Keys',
      summary: 'List keys',
      description:
        'Returns the keys that the caller may see, at most 100 at a time. Add 100 to `offset` to get the next page. If the caller is limited to some workspaces, a page can have fewer keys even if more follow.',
      query: keyListQuery,
      answers: { 200: { says: 'A page of at most 100 keys.', body: dataSchema(v.array(shownKeySchema)) } },
    },
    'get-key': {
      tag: 'Keys',
      summary: 'Get a key',
      description: 'Returns the settings, limits and usage of a key, but not the key itself.',
      answers: { 200: key },
      refuses: [404],
    },
    'update-key': {
      tag: 'Keys',
      summary: 'Update a key',
      description:
        'Updates a key. Omitted fields keep their value; `null` clears a nullable field. `rate_limits` replaces all rate limits. A key cannot disable itself, and a key with a restricted scope cannot update itself. If the deployment requires approvals, you cannot enable a management key again or change its `expires_at`.',
      body: keyChangeSchema,
      answers: { 200: key },
      refuses: [404],
    },
    'delete-key': {
      tag: 'Keys',
      summary: 'Delete a key',
      description:
        'Deletes a key. The key stops working within five seconds. If the key belongs to a person who signs in with the identity provider, the next sign-in creates it again. A key cannot delete itself. Genway submits no more jobs of the key to providers. If no provider is known to have accepted a job of the key, the job ends without a charge. Accepted jobs continue.',
      answers: { 200: deleted },
      refuses: [400, 404],
    },
    'get-current-key': {
      tag: 'Keys',
      summary: 'Get the current key',
      description:
        'Returns the calling key with its limits, budgets and usage. In a session, this is the key of the session. If a person signed in with the identity provider, `workspace_id` and `scope` are those of their session.',
      answers: { 200: { says: 'The key.', body: dataSchema(shownCurrentKeySchema) } },
      refuses: [404],
    },
    'create-session': {
      tag: 'Sessions',
      summary: 'Create a session',
      description:
        'Exchanges a key for a token with the permissions of the key. The session ends after 15 minutes, unless you renew it. It lasts at most 12 hours in total. A session cannot create another.',
      answers: {
        201: { says: 'The session. No other response contains its token.', body: createdSessionSchema },
      },
    },
    'get-oidc': {
      tag: 'Sessions',
      summary: 'Get the identity provider',
      description: 'Returns the OpenID Connect provider that people sign in with.',
      answers: {
        200: {
          says: 'The identity provider, or null if this deployment has none.',
          body: dataSchema(v.nullable(shownIssuerSchema)),
        },
      },
      refuses: [502],
    },
    'create-oidc-session': {
      tag: 'Sessions',
      summary: 'Create a session for a person',
      description:
        'Exchanges an authorization code from the identity provider for a session. When a person signs in for the first time, Genway creates a key without a secret for them. The claims of the ID token decide what the person may do.',
      body: oidcSignInSchema,
      answers: {
        201: { says: 'The session. No other response contains its token.', body: createdSessionSchema },
      },
      refuses: [401, 403, 404, 429, 502],
    },
    'renew-session': {
      tag: 'Sessions',
      summary: 'Renew the current session',
      description: 'Extends the current session to 15 minutes from now, but not beyond its `ends_at`.',
      answers: { 200: session },
      refuses: [404],
    },
    'end-session': {
      tag: 'Sessions',
      summary: 'End the current session',
      description: 'Ends the current session. The token stops working immediately.',
      answers: { 200: { says: 'The session has ended.', body: deletedSchema } },
      refuses: [404],
    },
  } as const satisfies Operations<typeof routes>;
};
