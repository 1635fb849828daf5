import type { ComponentChildren } from 'preact';

interface TableProps {
  readonly columns: readonly string[];
  /** Names the table where its rows hold nothing that takes the focus: keys could not scroll it otherwise. */
  readonly label?: string;
  /** The rows. */
  readonly children: ComponentChildren;
}

/** In a frame that scrolls by itself where the page is narrow. */
export function Table({ columns, label, children }: TableProps) {
  const table = (
    <table>
      <thead>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
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
