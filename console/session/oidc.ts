import { ApiFailure, answered, openApi } from '../api/client.ts';

/** What the page remembers while the browser is at the identity provider. It is worth nothing without the code. */
const PENDING = 'genway.sign-in';

/** How the identity provider has sent the browser back. */
export type Return =
  | { readonly proof: { code: string; code_verifier: string; nonce: string } }
  | { readonly error: Error };

export interface IdentityProvider {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly client_id: string;
  readonly scope: string;
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));

/** Leaves the page for the identity provider. */
export async function leaveFor(provider: IdentityProvider): Promise<void> {
  // The state tells our own request from one that another site has begun.
  const [state, verifier, nonce] = [random(), random(), random()];
  sessionStorage.setItem(PENDING, [state, verifier, nonce].join('.'));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const address = new URL(provider.authorization_endpoint);
  const query = {
    response_type: 'code',
    client_id: provider.client_id,
    redirect_uri: `${location.origin}/console`,
    scope: provider.scope,
    state,
    nonce,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
  location.assign(address);
}

/** Takes what the identity provider has sent out of the address, where it could be seen, and what we kept out of storage. */
export function takeReturn(): Return | undefined {
  const sent = new URLSearchParams(location.search);
  const [kept, code_verifier = '', nonce = ''] = sessionStorage.getItem(PENDING)?.split('.') ?? [];
  sessionStorage.removeItem(PENDING);
  const state = sent.get('state');
  if (state === null) return undefined;
  history.replaceState(null, '', `${location.pathname}${location.hash}`);
  if (state !== kept) return { error: failure('This sign-in did not start in this tab. Sign in again.') };
  const code = sent.get('code');
  if (code !== null) return { proof: { code, code_verifier, nonce } };
  return { error: failure(`The identity provider did not sign you in: ${sent.get('error')}.`) };
}

const failure = (says: string) => new ApiFailure(0, says);

/** @returns the token of a session */
export async function tokenFor(back: Return): Promise<string> {
  if ('error' in back) throw back.error;
  return (await answered(openApi('').POST('/sessions/oidc', { body: back.proof }))).token;
}
