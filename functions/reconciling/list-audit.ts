import { type KeyStore, keyList } from '../keys/key-store.ts';
import { placesIn } from '../lists/blocks.ts';
import type { Listed, ListStore } from '../lists/list-store.ts';
import { type ProviderKeyStore, providerKeyList } from '../provider-keys/provider-key-store.ts';
import { type WorkspaceStore, workspaceList } from '../workspaces/workspace-store.ts';
import type { Audit, Finding, Row } from './audit.ts';

export interface ListAuditPorts {
  readonly listsTable: string;
  readonly lists: Pick<ListStore, 'whole' | 'ending'>;
  readonly workspaces: Pick<WorkspaceStore, 'list' | 'read'>;
  readonly keys: Pick<KeyStore, 'list' | 'read'>;
  readonly providerKeys: Pick<ProviderKeyStore, 'list' | 'read'>;
}

/**
 * Checks that exactly the rows that exist are listed, even where an earlier version has made or deleted rows without
 * their lists.
 */
export class ListAudit implements Audit {
  readonly name = 'lists';
  readonly key = 'list';
  readonly table: string;
  readonly #ports: ListAuditPorts;

  constructor(ports: ListAuditPorts) {
    this.#ports = ports;
    this.table = ports.listsTable;
  }

  async look(rows: readonly Row[]): Promise<Finding[]> {
    const findings: Finding[] = [];
    for (const row of rows) findings.push(...(await this.#lookAt(row)));
    return findings;
  }

  async #lookAt(row: Row): Promise<Finding[]> {
    const whole = await this.#ports.lists.whole(row);
    const listed = whole && this.#listed(whole.list);
    if (whole === undefined || listed === undefined) return [];
    const there = (await Array.fromAsync(listed.all())).map(listed.entryOf);
    const entries = Object.fromEntries(there.map(({ place, kind }) => [place, kind]));
    const wrong = (one: typeof entries, other: typeof entries) =>
      placesIn(one).filter((place) => one[place] !== other[place]).length;
    const facts = {
      version: whole.version,
      not_listed: wrong(entries, whole.entries),
      not_there: wrong(whole.entries, entries),
    };
    if (facts.not_listed === 0 && facts.not_there === 0) return [];
    const repair = this.#ports.lists.ending(whole);
    return [{ id: whole.list, problem: 'the list is not what there is', facts, repair }];
  }

  #listed(list: string): Listed<unknown> | undefined {
    const { workspaces, keys, providerKeys } = this.#ports;
    const [kind, workspaceId] = list.split('/');
    if (kind === 'workspaces') return workspaceList(workspaces);
    if (kind === 'keys') return keyList(keys, workspaceId);
    return kind === 'provider-keys' && workspaceId !== undefined
      ? providerKeyList(providerKeys, workspaceId)
      : undefined;
  }
}
