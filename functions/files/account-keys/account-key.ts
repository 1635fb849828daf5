import * as v from 'valibot';
import { FILE_PROVIDERS } from '../providers/file-provider.ts';

/** A request to the function that opens keys. */
export const keyRequestSchema = v.object({
  /** The caller's own `Authorization`. Nothing else in the request gives a right to a key. */
  authorization: v.string(),
  /** The workspace whose key is opened; a credential of another workspace does not open it. */
  workspaceId: v.string(),
  provider: v.picklist(FILE_PROVIDERS),
});
export type KeyRequest = v.InferOutput<typeof keyRequestSchema>;

/** The function's answer. */
export const keyReplySchema = v.variant('outcome', [
  v.object({ outcome: v.literal('opened'), apiKey: v.string() }),
  v.object({ outcome: v.picklist(['none', 'unauthenticated', 'foreign', 'busy']) }),
]);
export type KeyReply = v.InferOutput<typeof keyReplySchema>;
