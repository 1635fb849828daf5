import type { KMSClient } from '@aws-sdk/client-kms';
import QuickLRU from 'quick-lru';
import * as v from 'valibot';
import { sealSecret, unsealSecret } from '../provider-keys/secret-box.ts';
import { SEALED_FOR } from '../tables.ts';
import type { StoredDestination, TraceHeaders } from './destination.ts';

const ownerOf = (workspaceId: string) => ({
  id: workspaceId,
  workspace_id: workspaceId,
  provider: SEALED_FOR,
});

/** The stored form of headers: their names, and all of them encrypted. */
export async function sealHeaders(
  headers: TraceHeaders,
  workspaceId: string,
  { kms, kmsKeyId }: { readonly kms: KMSClient; readonly kmsKeyId: string },
): Promise<Pick<StoredDestination, 'header_names' | 'ciphertext'>> {
  const names = Object.keys(headers).sort();
  if (names.length === 0) return { header_names: names };
  const ciphertext = await sealSecret(kms, kmsKeyId, ownerOf(workspaceId), JSON.stringify(headers));
  return { header_names: names, ciphertext };
}

const openedSchema = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.string()));

export type OpenHeaders = (
  destination: Pick<StoredDestination, 'workspace_id' | 'ciphertext'>,
) => Promise<TraceHeaders>;

const REMEMBERED = 200;

/** Opened headers are cached by their ciphertext: after a change the same workspace has others. */
export function headerOpener(kms: KMSClient, kmsKeyId: string): OpenHeaders {
  const opened = new QuickLRU<string, TraceHeaders>({ maxSize: REMEMBERED });
  return async ({ workspace_id: workspaceId, ciphertext }) => {
    if (ciphertext === undefined) return {};
    const known = opened.get(ciphertext);
    if (known !== undefined) return known;
    const headers = v.parse(
      openedSchema,
      await unsealSecret(kms, kmsKeyId, ownerOf(workspaceId), ciphertext),
    );
    opened.set(ciphertext, headers);
    return headers;
  };
}
