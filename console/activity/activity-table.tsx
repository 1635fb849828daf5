import { seconds, usd } from '../parts/format.ts';
import { Table } from '../parts/table.tsx';
import type { Measure, Series } from './series.ts';

export function shown(value: number, measure: Measure): string {
  if (measure === 'cost') return usd(value);
  return measure === 'seconds' ? seconds(value) : String(value);
}

export function ActivityTable({ series, measure }: { readonly series: Series; readonly measure: Measure }) {
  const { days, lines } = series;
  return (
    <Table columns={['Day', ...lines.map(({ name }) => name)]} label="Activity by day">
      {days.map((day, place) => (
        <tr key={day}>
          <th scope="row">{day}</th>
          {lines.map(({ name, values }) => (
            <td key={name}>{shown(values[place] ?? 0, measure)}</td>
          ))}
        </tr>
      ))}
    </Table>
  );
}
