import type { ListStore } from '../lists/list-store.ts';
import { type ListPage, readList } from '../lists/listed.ts';
import { keyList } from './key-list.ts';
import type { KeyStore, StoredKey } from './key-store.ts';

/** The number of rows that one batch read of DynamoDB takes. */
const PAGE = 100;

export interface NamingKeyPorts {
  readonly keys: Pick<KeyStore, 'list' | 'read'>;
  readonly lists: Pick<ListStore, 'page'>;
}

/**
 * A key of the workspace, enabled or not, that names the guardrail. The newest are read first: when keys are deleted
 * meanwhile, the others move towards the beginning, which is still to be read.
 */
export async function findNamingKey(
  guardrailId: string,
  workspaceId: string,
  { keys, lists }: NamingKeyPorts,
): Promise<StoredKey | undefined> {
  const at = (offset: number) => readList(lists, keyList(keys, workspaceId), { offset, limit: PAGE });
  const find = ({ rows }: ListPage<StoredKey>) =>
    rows.find(({ guardrail_id }) => guardrail_id === guardrailId);
  const first = await at(0);
  if (first.total <= PAGE) return find(first);
  for (let offset = PAGE * Math.floor((first.total - 1) / PAGE); offset >= 0; offset -= PAGE) {
    const naming = find(await at(offset));
    if (naming !== undefined) return naming;
  }
  return undefined;
}
