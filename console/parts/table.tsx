import type { ComponentChildren } from 'preact';

export interface TableRow {
  readonly key: string;
  /** One for each column; the first names the row. */
  readonly cells: readonly ComponentChildren[];
  /** What can be done with the row. */
  readonly menu?: ComponentChildren;
}

interface TableProps {
  readonly columns: readonly string[];
  /** The columns of numbers, which align on the right. */
  readonly amounts?: readonly string[];
  /** Names the table where its rows hold nothing that takes the focus: keys could not scroll it otherwise. */
  readonly label?: string;
  readonly rows: readonly TableRow[];
}

/** Scrolls in a frame of its own where the page is narrow; on a phone each row is a card. */
export function Table({ columns, amounts = [], label, rows }: TableProps) {
  const kindOf = (column: string | undefined) =>
    column !== undefined && amounts.includes(column) ? 'amount' : undefined;
  const hasMenus = rows.some(({ menu }) => menu !== undefined);
  const table = (
    <table>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col" class={kindOf(name)}>
              {name}
            </th>
          ))}
          {hasMenus && (
            <th scope="col">
              <span class="spoken">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Row key={row.key} columns={columns} row={row} kindOf={kindOf} />
        ))}
      </tbody>
    </table>
  );
  if (label === undefined) return <div class="table-frame">{table}</div>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see `label`
    <section class="table-frame" tabIndex={0} aria-label={label}>
      {table}
    </section>
  );
}

interface RowProps {
  readonly columns: readonly string[];
  readonly row: TableRow;
  readonly kindOf: (column: string | undefined) => 'amount' | undefined;
}

function Row({ columns, row, kindOf }: RowProps) {
  const [first, ...others] = row.cells;
  return (
    <tr>
      <th scope="row">{first}</th>
      {others.map((cell, place) => (
        <td key={columns[place + 1]} class={kindOf(columns[place + 1])} data-column={columns[place + 1]}>
          {cell}
        </td>
      ))}
      {row.menu !== undefined && <td class="row-menu">{row.menu}</td>}
    </tr>
  );
}
