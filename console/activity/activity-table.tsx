import { seconds, usd } from '../parts/format.ts';
import type { Measure, Series } from './series.ts';

export function shown(value: number, measure: Measure): string {
  if (measure === 'cost') return usd(value);
  return measure === 'seconds' ? seconds(value) : String(value);
}

export function ActivityTable({ series, measure }: { readonly series: Series; readonly measure: Measure }) {
  const { days, lines } = series;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it holds no link, so keys could not scroll it otherwise
    <section class="table-frame" tabIndex={0} aria-label="Activity by day">
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            {lines.map(({ name }) => (
              <th key={name} scope="col" class="name">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.map((day, place) => (
            <tr key={day}>
              <th scope="row">{day}</th>
              {lines.map(({ name, values }) => (
                <td key={name}>{shown(values[place] ?? 0, measure)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
