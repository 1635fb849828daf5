import * as v from 'valibot';
import { url } from '../http/answer-schemas.ts';
import { PermissionDenied } from '../http/errors.ts';
import { OPERATION_GROUPS, type Scope, UNLIMITED } from '../http/scope.ts';
import { characters } from '../http/validation.ts';
import { isNetwork, NETWORK_RULE } from './networks.ts';

const someOf = <const Each extends v.GenericSchema>(each: Each, says: string) =>
  v.exactOptional(v.pipe(v.array(each), v.minLength(1), v.description(says)));

const grantSchema = v.strictObject({
  claim: v.pipe(v.string(), v.minLength(1), v.description('The name of a claim in the ID token.')),
  value: v.pipe(
    v.string(),
    v.minLength(1),
    v.description('The value that the claim must have, or contain if it is a list.'),
  ),
  scope: v.exactOptional(
    v.pipe(
      v.strictObject({
        workspaces: someOf(v.pipe(v.string(), v.uuid()), 'IDs of workspaces.'),
        operations: someOf(v.picklist(OPERATION_GROUPS), 'Groups of operations.'),
        networks: someOf(v.pipe(v.string(), v.check(isNetwork, NETWORK_RULE)), 'CIDR blocks.'),
      }),
      v.description('The scope of these people, like that of a management key. Omitted fields set no limit.'),
    ),
  ),
});

/** How people sign in with an identity provider, and what its claims let them do. */
export const oidcSettingsSchema = v.strictObject({
  issuer: v.pipe(
    v.string(),
    v.url(),
    v.description('URL of the identity provider, exactly as in `iss` of its ID tokens.'),
  ),
  clientId: v.pipe(v.string(), v.minLength(1), v.description('ID of the client that you registered there.')),
  requestedScope: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^openid( [!-~]+)*$/, 'must begin with openid'),
      v.description(
        'The OAuth scopes that the console requests. With them, the provider must put the claims of `grants` into the ID token.',
      ),
    ),
    'openid profile email',
  ),
  grants: v.pipe(
    v.array(grantSchema),
    v.minLength(1),
    v.description(
      'Rules for who may do what. The first rule that matches a person applies. People whom no rule matches cannot sign in.',
    ),
  ),
});
export type OidcSettings = v.InferOutput<typeof oidcSettingsSchema>;

/** Where the console sends a person to sign in. */
export const shownIssuerSchema = v.object({
  issuer: v.pipe(url, v.description('Issuer identifier of the identity provider')),
  authorization_endpoint: v.pipe(
    url,
    v.description('URL at which a browser begins the authorization code flow'),
  ),
  client_id: v.pipe(v.string(), v.description('Client ID of the console at the identity provider')),
  scope: v.pipe(v.string(), v.description('The OAuth scopes to request')),
});

const SECRET_RULE = 'must be 43 to 128 characters: letters, digits, or any of -._~';
const chosen = () => v.pipe(v.string(), v.regex(/^[\w.~-]{43,128}$/, SECRET_RULE));

/** What a browser brings from the identity provider, and what it chose before it went there. */
export const oidcSignInSchema = v.object({
  code: v.pipe(
    characters(1, 2048),
    v.description(
      'The authorization code that the identity provider returned. The `redirect_uri` of the authorization request must be the URL of the console: the origin of this deployment, followed by `/console`',
    ),
  ),
  code_verifier: v.pipe(
    chosen(),
    v.description(
      'The secret whose SHA-256, in base64url, was the `code_challenge` of the authorization request (RFC 7636)',
    ),
  ),
  nonce: v.pipe(
    chosen(),
    v.description('The `nonce` of the authorization request. A nonce can be used only once'),
  ),
});

/** What a verified ID token says of a person. */
export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

/**
 * What the claims of a person allow.
 * @throws PermissionDenied if that is nothing
 */
export function scopeOfClaims(claims: Claims, { grants }: Pick<OidcSettings, 'grants'>): Scope {
  const grant = grants.find(({ claim, value }) => {
    // Anybody can write any address into an account that nobody has verified.
    if (claim === 'email' && claims.email_verified !== true) return false;
    const said = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
    return Array.isArray(said) ? said.includes(value) : said === value;
  });
  if (grant === undefined)
    throw new PermissionDenied('You do not have access to this deployment; ask its administrator');
  return { ...UNLIMITED, ...grant.scope };
}
