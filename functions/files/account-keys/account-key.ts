import * as v from 'valibot';
import { FILE_PROVIDERS } from '../providers/file-provider.ts';

/** What the function that opens keys is asked. */
export const keyRequestSchema = v.object({
  /** The caller's own `Authorization`: nothing else that is said here gives a right to a key. */
  authorization: v.string(),
  /** Whose key; a credential of another workspace does not open it. */
  workspaceId: v.string(),
  provider: v.picklist(FILE_PROVIDERS),
});
export type KeyRequest = v.InferOutput<typeof keyRequestSchema>;

/** What it answers. */
export const keyReplySchema = v.variant('outcome', [
  v.object({ outcome: v.literal('opened'), apiKey: v.string() }),
  v.object({ outcome: v.picklist(['none', 'unauthenticated', 'foreign', 'busy']) }),
]);
export type KeyReply = v.InferOutput<typeof keyReplySchema>;
