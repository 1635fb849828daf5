import type { VirtualClock } from '../clock.ts';
import { ServiceError } from '../service.ts';
import { ResourceMissing } from './errors.ts';
import type { TableSchema } from './schema.ts';
import { Table, type TableSettings } from './table.ts';

/** The tables of one account. */
export class Tables {
  readonly #tables = new Map<string, Table>();
  readonly #clock: VirtualClock;
  readonly #settings: TableSettings;

  constructor(clock: VirtualClock, settings: TableSettings) {
    this.#clock = clock;
    this.#settings = settings;
  }

  /** @throws ServiceError if a table of this name exists */
  create(schema: TableSchema): Table {
    const { TableName } = schema;
    if (this.#tables.has(TableName)) {
      throw new ServiceError('ResourceInUseException', `Table already exists: ${TableName}`);
    }
    const table = new Table(schema, () => this.#clock.now().getTime(), this.#settings);
    this.#tables.set(TableName, table);
    return table;
  }

  all = (): Table[] => [...this.#tables.values()];

  /** @throws ResourceMissing */
  get = (name: string): Table => {
    const table = this.#tables.get(name);
    if (table === undefined) throw new ResourceMissing();
    return table;
  };

  /** Deletes all expired rows. On AWS the time of that is unknown, so tests call this themselves. */
  expireRows(): void {
    const seconds = this.#clock.now().getTime() / 1000;
    for (const table of this.#tables.values()) {
      const { expiresBy } = table;
      if (expiresBy === undefined) continue;
      for (const item of table.items(true).all()) {
        const expiry = item[expiresBy];
        if (expiry !== undefined && 'N' in expiry && Number(expiry.N) < seconds) {
          table.write(table.keyOf(item), undefined);
        }
      }
    }
  }
}
