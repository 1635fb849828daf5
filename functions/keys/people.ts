import { PermissionDenied } from '../http/errors.ts';
import { UNLIMITED } from '../http/scope.ts';
import { DEFAULT_WORKSPACE_ID } from '../workspaces/workspace.ts';
import { hashKey } from './key-format.ts';
import { type KeyLives, WorkspaceMissing } from './key-lives.ts';
import type { KeyReader, StoredKey } from './key-store.ts';
import type { Claims } from './oidc-settings.ts';

const MOST_CHARACTERS = 100;

/**
 * A person acts by a key that has no secret: jobs, spending and the audit trail name it, and whoever disables it keeps the
 * person out. No text that could be sent as a key has this hash, because none begins like this.
 */
export function keyOfPerson({ sub, name, email }: Claims, issuer: string, now: Date): StoredKey {
  const shown = [name, email, sub].find((each) => typeof each === 'string' && each.trim() !== '');
  return {
    hash: hashKey(JSON.stringify(['person', issuer, sub])),
    kind: 'management',
    name: String(shown).trim().slice(0, MOST_CHARACTERS).toWellFormed(),
    label: new URL(issuer).host,
    workspace_id: DEFAULT_WORKSPACE_ID,
    creator_user_id: null,
    external_user: sub,
    rate_limits: {},
    guardrail_id: null,
    // Each session has what the claims said when it began.
    scope: UNLIMITED,
    disabled: false,
    expires_at: null,
    created_at: now.toISOString(),
    updated_at: null,
    last_used_at: null,
  };
}

const NO_WORKSPACE =
  'This deployment has no workspace yet; its administrator must first run npx genway admin create-management-key, which also creates the default workspace';

interface PeoplePorts {
  readonly keys: KeyReader;
  readonly lives: Pick<KeyLives, 'begin'>;
}

/**
 * The key of a person, which is made when they first sign in.
 * @throws PermissionDenied if somebody has disabled it, or it has expired
 */
export async function ensurePerson(person: StoredKey, { keys, lives }: PeoplePorts): Promise<StoredKey> {
  const known = await keys.find(person.hash);
  if (known?.disabled || (known?.expires_at && new Date(known.expires_at) <= new Date(person.created_at))) {
    throw new PermissionDenied('Your access has been disabled or has expired; ask an administrator');
  }
  if (known !== undefined) return known;
  try {
    await lives.begin(person, { limits: {}, countsByok: false });
    return person;
  } catch (error) {
    if (error instanceof WorkspaceMissing) throw new PermissionDenied(NO_WORKSPACE, { cause: error });
    // They may have signed in twice at once.
    const other = await keys.find(person.hash);
    if (other === undefined) throw error;
    return other;
  }
}
