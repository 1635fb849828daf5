import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export const CLIENT_ID = 'genway-console';

export type IssuerServer = Awaited<ReturnType<typeof startIssuer>>;

/** A real identity provider. Whoever signs in is who they say, and in the group of that name. */
export async function startIssuer() {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT_ID,
        // The port of such an address does not count (RFC 8252 §7.3).
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/console'],
        token_endpoint_auth_method: 'none',
      },
    ],
    claims: { openid: ['sub', 'groups'], profile: ['name'] },
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({ sub, groups: [sub], name: `Person ${sub}` }),
    }),
  });
  server.on('request', provider.callback());
  const grants = [
    { claim: 'groups', value: 'admins' },
    { claim: 'groups', value: 'viewers', scope: { operations: ['read' as const] } },
    { claim: 'groups', value: 'travellers', scope: { networks: ['198.51.100.0/24'] } },
  ];
  return {
    settings: { issuer, clientId: CLIENT_ID, requestedScope: 'openid profile', grants },
    close: () => server.close(),
  };
}
