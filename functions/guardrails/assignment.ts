import * as v from 'valibot';
import { count, instant, uuid } from '../http/answer-schemas.ts';
import type { StoredKey } from '../keys/key-store.ts';
import { uuidV5 } from '../workspaces/workspace.ts';

/** A transaction has at most 100 items: these keys, their guardrail and their workspace. */
const MOST_KEYS = 90;
const HASHES_RULE = `must be a list of 1 to ${MOST_KEYS} hashes of keys`;

export const assignedKeysSchema = v.object({
  key_hashes: v.pipe(
    v.array(v.string('must be the hash of a key'), HASHES_RULE),
    v.minLength(1, HASHES_RULE),
    v.maxLength(MOST_KEYS, HASHES_RULE),
    v.description('Hashes of keys in the workspace of the guardrail'),
  ),
});

export const assignedCountSchema = v.object({ assigned_count: count });
export const unassignedCountSchema = v.object({ unassigned_count: count });

/** That a key names a guardrail, as OpenRouter's clients know it. */
export const shownAssignmentSchema = v.object({
  id: uuid,
  guardrail_id: uuid,
  key_hash: v.pipe(v.string(), v.description('Hash of the key')),
  key_name: v.string(),
  key_label: v.string(),
  assigned_by: v.pipe(
    v.null(),
    v.description('Always null. Included for compatibility with OpenRouter’s clients'),
  ),
  created_at: v.pipe(instant, v.description('Time of the assignment')),
});
export type Assignment = v.InferOutput<typeof shownAssignmentSchema>;

export const describeAssignment = (key: StoredKey, guardrail_id: string): Assignment => ({
  id: uuidV5(guardrail_id, key.hash),
  guardrail_id,
  key_hash: key.hash,
  key_name: key.name,
  key_label: key.label,
  assigned_by: null,
  created_at: key.guardrail_since ?? key.created_at,
});
