import { createHash } from 'node:crypto';
import type { NamedItems } from '../../aws/transact.ts';
import type { AuthenticatedCall } from '../../http/call.ts';
import { invalidField } from '../../http/invalid-field.ts';
import type { ApiResponse } from '../../http/response.ts';
import type { Remembered, ReplayStore } from './replay-store.ts';

const KEPT_MILLISECONDS = 24 * 60 * 60 * 1000;
const HEADER = 'Idempotency-Key';
const REPLAYED = { 'idempotent-replayed': 'true' };

/** Items that an operation adds to its transaction, so that its answer can be given again. */
export type Remember = (answer: ApiResponse<string>) => NamedItems;

export interface ReplayPorts {
  readonly replays: Pick<ReplayStore, 'find' | 'insertion'>;
  readonly now: () => Date;
}

/**
 * Answers a request once per `Idempotency-Key` of a workspace and route. The same request gets the first answer again,
 * also with another key, because a key may be rotated between two tries. The answer is saved in the transaction that
 * performs the change, so a second request never has to wait for a first. A refused request saves nothing.
 * @param workspaceId that the request acts in
 * @throws InvalidRequest when the idempotency key came with another body before
 */
export async function answerOnce(
  call: AuthenticatedCall,
  { replays, now }: ReplayPorts,
  operation: (remember: Remember) => Promise<ApiResponse<string>>,
  workspaceId = call.principal.workspaceId,
): Promise<ApiResponse<string>> {
  const idempotencyKey = readIdempotencyKey(call);
  if (idempotencyKey === undefined) return operation(() => ({}));
  const id = digest([workspaceId, call.method, call.pattern, idempotencyKey].join('\n'));
  const fingerprint = digest(call.body);
  const first = await replays.find(id, now());
  if (first !== undefined) return replay(first, fingerprint);
  const until = now().getTime() + KEPT_MILLISECONDS;
  try {
    return await operation((answer) => ({
      replay: replays.insertion({ id, fingerprint, ...answer, until }, now()),
    }));
  } catch (error) {
    // An equal request may have been quicker, or ours may have succeeded although its answer was lost.
    const other = await replays.find(id, now());
    if (other === undefined) throw error;
    return replay(other, fingerprint);
  }
}

function replay(
  { status, headers, body, ...remembered }: Remembered,
  fingerprint: string,
): ApiResponse<string> {
  if (remembered.fingerprint !== fingerprint) {
    throw invalidField(HEADER, 'was used with another body before; use a new one');
  }
  return { status, headers: { ...headers, ...REPLAYED }, body };
}

function readIdempotencyKey(call: AuthenticatedCall): string | undefined {
  const value = call.headers['idempotency-key'];
  if (value !== undefined && !/^[!-~]{1,255}$/.test(value)) {
    throw invalidField(HEADER, 'must be 1 to 255 visible ASCII characters');
  }
  return value;
}

const digest = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
