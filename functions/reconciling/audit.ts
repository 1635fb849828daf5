import type { NamedItems } from '../aws/transact.ts';
import type { LogFields } from '../log.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Something in a row that cannot be, as far as one look can tell. */
export interface Finding {
  readonly id: string;
  readonly problem: string;
  /** All that it rests on. Where two looks find the same, nobody has been at work in between. */
  readonly facts: LogFields;
  /** Puts it right, and is refused if anything has changed since. Absent where nothing proves what is right. */
  readonly repair?: NamedItems;
}

/** What is known of one kind of rows, by which one that contradicts it is found. */
export interface Audit {
  readonly name: string;
  readonly table: string;
  /** The attribute that a row is found by. */
  readonly key: string;
  /** Learns what rows are compared with: before the first look at any, and again before the second. */
  begin?(): Promise<void>;
  /** Of at most 100 rows. */
  look(rows: readonly Row[]): Promise<Finding[]>;
}
