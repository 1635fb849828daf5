import * as v from 'valibot';
import { instant } from '../http/answer-schemas.ts';
import type { Principal } from '../http/call.ts';
import { invalidKey, NotFound, PermissionDenied } from '../http/errors.ts';
import { generateKey, hashKey } from './key-format.ts';
import type { SessionStore, StoredSession } from './session-store.ts';

const MINUTE = 60_000;
/** A stolen token works for so long after its owner has left. */
const VALID_MILLISECONDS = 15 * MINUTE;
/** However much it is used, somebody signs in again after a day’s work. */
const LONGEST_MILLISECONDS = 12 * 60 * MINUTE;

/** A session as answers show it. */
export const shownSessionSchema = v.object({
  hash: v.pipe(v.string(), v.description('SHA-256 of the token, in hexadecimal. It identifies the session')),
  expires_at: v.pipe(instant, v.description('When the session ends unless it is renewed')),
  ends_at: v.pipe(instant, v.description('Latest possible end of the session. Renewals do not change it')),
});

export const createdSessionSchema = v.object({
  data: shownSessionSchema,
  token: v.pipe(v.string(), v.description('Token to send instead of a key. No other response contains it')),
});

/** What of a session the audit trail keeps. */
export const AUDITED_OF_SESSIONS = ['hash', 'key_hash', 'ends_at'] as const;

type Shown = v.InferOutput<typeof shownSessionSchema>;

export const describeSession = ({ hash, valid_until, ends_at }: StoredSession): Shown => ({
  hash,
  expires_at: valid_until,
  ends_at,
});

const later = (at: Date, milliseconds: number) => new Date(at.getTime() + milliseconds).toISOString();
const sooner = (one: string, other: string) => (one < other ? one : other);

interface Beginner extends Pick<Principal, 'keyHash' | 'endsAt' | 'session'> {
  /** Who has signed in with an identity provider, and what its claims allow. */
  readonly person?: Required<Pick<StoredSession, 'subject' | 'scope'>>;
}

/**
 * A session that acts for its key: with its scope, its limits and no longer than it.
 * @returns the token, this once in clear
 * @throws PermissionDenied, because sessions that make sessions would never end
 */
export function issueSession(
  { keyHash, endsAt, session, person }: Beginner,
  now: Date,
  random: (size: number) => Uint8Array,
): { token: string; stored: StoredSession } {
  if (session !== undefined)
    throw new PermissionDenied('A session cannot create another session; send a key');
  const token = generateKey('session', random);
  const longest = later(now, LONGEST_MILLISECONDS);
  const ends_at = endsAt === null ? longest : sooner(longest, new Date(endsAt).toISOString());
  const stored = {
    hash: hashKey(token),
    key_hash: keyHash,
    created_at: now.toISOString(),
    valid_until: sooner(later(now, VALID_MILLISECONDS), ends_at),
    ends_at,
    ...person,
  };
  return { token, stored };
}

/** @throws NotFound where the request has a key in place of a session */
export function ownSession({ session }: Pick<Principal, 'session'>): NonNullable<Principal['session']> {
  if (session === undefined)
    throw new NotFound('This operation needs a session token, but the request has a key');
  return session;
}

/**
 * Lets a session last for 15 minutes from now, up to its end.
 * @throws NotFound, Unauthenticated where somebody has signed out meanwhile
 */
export async function renewSession(
  principal: Pick<Principal, 'session'>,
  sessions: Pick<SessionStore, 'renew'>,
  now: Date,
): Promise<Shown> {
  const { hash, endsAt: ends_at } = ownSession(principal);
  const expires_at = sooner(later(now, VALID_MILLISECONDS), ends_at);
  if (!(await sessions.renew(hash, expires_at, now))) throw invalidKey();
  return { hash, expires_at, ends_at };
}
