import * as v from 'valibot';
import { invalidField } from '../http/errors.ts';

/** A file's row. The object in the bucket has the same id in its key. It exists for as long as anybody sees the row. */
export const storedFileSchema = v.object({
  id: v.string(),
  workspace_id: v.string(),
  filename: v.string(),
  mime_type: v.string(),
  size_bytes: v.number(),
  purpose: v.string(),
  /** Of its bytes, in base64; absent for files from before it was kept. */
  crc32: v.exactOptional(v.string()),
  /** The same, where the sender has said what it must be: it costs more. */
  sha256: v.exactOptional(v.string()),
  created_at: v.string(),
  /** From this moment on the file exists for nobody; absent for a file that stays until it is deleted. */
  expires_at: v.exactOptional(v.string()),
});
export type StoredFile = v.InferOutput<typeof storedFileSchema>;

/** What the index of due rows shows of it. */
export const dueFileSchema = v.object({
  id: v.string(),
  workspace_id: v.string(),
  size_bytes: v.number(),
  due_at: v.number(),
});
export type DueFile = v.InferOutput<typeof dueFileSchema>;

/** Undefined for a file that stays until it is deleted. */
export const endOf = ({ expires_at: end }: Pick<StoredFile, 'expires_at'>): Date | undefined =>
  end === undefined ? undefined : new Date(end);

export function isExpired(file: Pick<StoredFile, 'expires_at'>, now: Date): boolean {
  const end = endOf(file);
  return end !== undefined && end <= now;
}

export const FILE_ID = /^gw_file_[0-9a-hjkmnp-tv-z]{26}$/;

/** The key begins with the workspace, so that no key can reach into another workspace. */
export const objectKey = (workspaceId: string, fileId: string) => `${workspaceId}/${fileId}`;

const LONGEST_NAME = 255;

/**
 * The name a file is shown by; it never becomes part of a storage key. `/` means folders.
 * @throws InvalidRequest
 */
export function checkedFilename(filename: string): string {
  if (filename === '') return 'upload';
  const fail = (rule: string) => invalidField('filename', rule);
  if (filename.length > 2 * LONGEST_NAME || [...filename].length > LONGEST_NAME)
    throw fail(`must be at most ${LONGEST_NAME} characters`);
  if (/\p{Cc}/u.test(filename)) throw fail('must not contain control characters');
  if (filename.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
    throw fail('must not begin or end with "/", or contain an empty, "." or ".." segment');
  }
  return filename;
}

/** Purposes that one of the response shapes shows; kept as sent. */
export const PURPOSES = [
  'assistants',
  'batch',
  'fine-tune',
  'vision',
  'user_data',
  'evals',
  'assistants_output',
  'batch_output',
  'fine-tune-results',
] as const;
export const DEFAULT_PURPOSE = 'user_data';

/** @throws InvalidRequest */
export function checkedPurpose(purpose: string = DEFAULT_PURPOSE): string {
  if (PURPOSES.some((each) => each === purpose)) return purpose;
  throw invalidField('purpose', `must be one of ${PURPOSES.join(', ')}`, { supported: PURPOSES });
}

const DAY_SECONDS = 86_400;
export const LONGEST_EXPIRY_SECONDS = 30 * DAY_SECONDS;
const EXPIRY_RULE = `must be a whole number of seconds after the upload, from 1 to ${LONGEST_EXPIRY_SECONDS}`;

const ANCHOR = 'expires_after[anchor]';

/** Form fields that say when a file ends: of OpenAI's clients, which write an object so, and of our own. */
export const EXPIRY_FIELDS = [
  'expires_after',
  'expires_after[seconds]',
  ANCHOR,
  'expires_in_seconds',
] as const;

/** Undefined for a file that ends only when it is deleted. @throws InvalidRequest */
export function expirySeconds(fields: ReadonlyMap<string, string>): number | undefined {
  const anchor = fields.get(ANCHOR) ?? 'created_at';
  if (anchor !== 'created_at') throw invalidField(ANCHOR, 'must be created_at');
  const [given, ...others] = EXPIRY_FIELDS.flatMap((name) => {
    const text = fields.get(name);
    return text === undefined || name === ANCHOR ? [] : [{ name, text }];
  });
  if (given === undefined) {
    if (fields.has(ANCHOR)) throw invalidField('expires_after[seconds]', 'is required');
    return undefined;
  }
  const { name, text } = given;
  if (others.length > 0) {
    throw invalidField(name, `cannot be combined with ${others.map((other) => other.name).join(', ')}`);
  }
  const seconds = /^[1-9]\d{0,7}$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds <= LONGEST_EXPIRY_SECONDS)) throw invalidField(name, EXPIRY_RULE);
  return seconds;
}
