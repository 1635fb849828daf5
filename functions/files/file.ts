import * as v from 'valibot';

/** A file's row. The object in the bucket has the same id in its key; neither exists without the other. */
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

export const isExpired = ({ expires_at: end }: Pick<StoredFile, 'expires_at'>, now: Date): boolean =>
  end !== undefined && Date.parse(end) <= now.getTime();

export const FILE_ID = /^gw_file_[0-9a-hjkmnp-tv-z]{26}$/;

/** The key begins with the workspace, so that no key can reach into another workspace. */
export const objectKey = (workspaceId: string, fileId: string) => `${workspaceId}/${fileId}`;
