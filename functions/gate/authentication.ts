import type { Headers, Principal } from '../http/call.ts';
import { invalidKey, PermissionDenied, Unauthenticated } from '../http/errors.ts';
import type { KeyedRoute } from '../http/routes.ts';
import { credentialOf, hashKey } from '../keys/key-format.ts';
import type { KeyReader, StoredKey } from '../keys/key-store.ts';
import type { KeyUses } from '../keys/key-uses.ts';
import type { SessionStore, StoredSession } from '../keys/session-store.ts';
import { guardrailIn } from '../workspaces/workspace.ts';

const LONGEST_CREDENTIAL = 256;

/** The caller's `Authorization`, whichever of its two headers it comes in. */
export function authorizationOf(headers: Headers): string {
  const { authorization = '', 'x-api-key': apiKey = '' } = headers;
  return authorization === '' && apiKey !== '' ? `Bearer ${apiKey}` : authorization;
}

/** @throws Unauthenticated */
export function readCredential(headers: Headers): string {
  const value = authorizationOf(headers);
  if (value === '')
    throw new Unauthenticated('Missing Authentication header; send Authorization: Bearer <your API key>');
  // What is not even sent as a bearer token says nothing of any key, so this answer may help.
  if (!/^bearer(?= |$)/i.test(value))
    throw new Unauthenticated(
      'The Authorization header has no Bearer token; send Authorization: Bearer <your API key>',
    );
  const match = value.length <= LONGEST_CREDENTIAL ? /^bearer +([!-~]+)$/i.exec(value) : null;
  if (match?.[1] === undefined) throw invalidKey();
  return match[1];
}

/** How long a warm function may accept a revoked key. What spends or stores reads the key's row again. */
const CACHE_MILLISECONDS = 5_000;
const CACHED_KEYS = 1_000;

/** Keys by hash. Live ones are remembered for a few seconds. */
class RememberedKeys {
  readonly #keys: KeyReader;
  readonly #now: () => Date;
  readonly #cache = new Map<string, { key: StoredKey; until: number }>();

  constructor(keys: KeyReader, now: () => Date) {
    this.#keys = keys;
    this.#now = now;
  }

  async find(hash: string): Promise<StoredKey | undefined> {
    const cached = this.#cache.get(hash);
    if (cached !== undefined && cached.until > this.#now().getTime()) return cached.key;
    this.#cache.delete(hash);
    const key = await this.#keys.find(hash);
    // A dead key is read each time: it may be enabled again.
    if (key !== undefined && isLive(key, this.#now())) this.#remember(key);
    return key;
  }

  #remember(key: StoredKey): void {
    if (this.#cache.size >= CACHED_KEYS) this.#cache.clear();
    this.#cache.set(key.hash, { key, until: this.#now().getTime() + CACHE_MILLISECONDS });
  }
}

function isLive(key: StoredKey, now: Date): boolean {
  return !key.disabled && (key.expires_at === null || new Date(key.expires_at) > now);
}

export interface Authenticator {
  /** @throws Unauthenticated, PermissionDenied */
  authenticate(headers: Headers, access: KeyedRoute['access']): Promise<Principal>;
}

interface AuthenticatorPorts {
  readonly keys: KeyReader;
  readonly sessions: Pick<SessionStore, 'find'>;
  readonly uses: Pick<KeyUses, 'record'>;
  readonly now: () => Date;
}

export function createAuthenticator({ keys, sessions, uses, now }: AuthenticatorPorts): Authenticator {
  const remembered = new RememberedKeys(keys, now);
  return {
    async authenticate(headers, access) {
      const credential = readCredential(headers);
      const form = credentialOf(credential);
      if (form === undefined) throw invalidKey();
      const named = hashKey(credential);
      // No session is remembered: it ends when somebody signs out, or when its key ends.
      const session = form === 'session' ? await sessions.find(named, now()) : undefined;
      if (form === 'session' && session === undefined) throw invalidKey();
      const hash = session?.key_hash ?? named;
      // A revoked management key must not be able to make another, or to enable itself again.
      const isAsked = access === 'management' || session !== undefined;
      const key = isAsked ? await keys.find(hash) : await remembered.find(hash);
      if (key === undefined || !isLive(key, now())) throw invalidKey();
      uses.record(key);
      if (access === 'management' && key.kind !== 'management') {
        throw new PermissionDenied('Only management keys can perform this operation');
      }
      return principalOf(key, session);
    },
  };
}

/** Who acts by a key, or in a session of it. */
export function principalOf(key: StoredKey, session?: StoredSession): Principal {
  const workspaceId = session?.scope?.workspaces?.[0] ?? key.workspace_id;
  return {
    keyHash: key.hash,
    line: key.line,
    kind: key.kind,
    workspaceId,
    creator: key.creator_user_id ?? key.hash,
    rateLimits: key.rate_limits,
    guardrailId: guardrailIn(workspaceId, key),
    scope: session?.scope ?? key.scope,
    endsAt: key.expires_at,
    ...(session && { session: { hash: session.hash, endsAt: session.ends_at, subject: session.subject } }),
  };
}
