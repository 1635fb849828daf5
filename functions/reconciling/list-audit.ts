import { type KeyStore, keyList } from '../keys/key-store.ts';
import { type Entries, idAt, placesIn } from '../lists/blocks.ts';
import type { Listed, ListStore } from '../lists/list-store.ts';
import { type ProviderKeyStore, providerKeyList } from '../provider-keys/provider-key-store.ts';
import { type WorkspaceStore, workspaceList } from '../workspaces/workspace-store.ts';
import { type Audit, type Finding, ROWS_A_PAGE, type Row } from './audit.ts';

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
    const places = await differingPlaces(whole.entries, listed);
    const rows = entriesOf(listed, await readEach(listed, places));
    const wrong = places.filter((place) => rows[place] !== whole.entries[place]);
    const facts = {
      version: whole.version,
      not_listed: wrong.filter((place) => rows[place] !== undefined).length,
      not_there: wrong.filter((place) => whole.entries[place] !== undefined).length,
    };
    if (facts.not_listed === 0 && facts.not_there === 0) return [];
    const repair = this.#ports.lists.ending(whole);
    return [{ id: whole.list, problem: 'the list differs from the rows', facts, repair }];
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

/**
 * The places at which the list differs from the index of its rows. The index may be minutes late, because DynamoDB
 * promises no time by which it is up to date; so the rows themselves have the last word.
 */
async function differingPlaces(entries: Entries, listed: Listed<unknown>): Promise<string[]> {
  const indexed = entriesOf(listed, await Array.fromAsync(listed.all()));
  return placesIn({ ...entries, ...indexed }).filter((place) => entries[place] !== indexed[place]);
}

async function readEach(listed: Listed<unknown>, places: readonly string[]): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let i = 0; i < places.length; i += ROWS_A_PAGE)
    rows.push(...(await listed.read(places.slice(i, i + ROWS_A_PAGE).map(idAt))));
  return rows;
}

const entriesOf = (listed: Listed<unknown>, rows: readonly unknown[]): Entries =>
  Object.fromEntries(rows.map(listed.entryOf).map(({ place, kind }) => [place, kind]));
