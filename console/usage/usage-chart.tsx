import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  LinearScale,
  Tooltip,
} from 'chart.js';
import { colorOf, Picture } from '../parts/chart.tsx';
import { dateTime } from '../parts/format.ts';
import type { Series } from './series.ts';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

interface UsageChartProps {
  readonly series: Series;
  readonly label: string;
  /** What the bars measure. */
  readonly measure: string;
  readonly format: (value: number) => string;
}

export function UsageChart({ series, label, measure, format }: UsageChartProps) {
  const configure = (color: string, grid: string): ChartConfiguration<'bar'> => ({
    type: 'bar',
    data: {
      labels: series.days.map(dateTime),
      datasets: series.lines.map(({ name, values }, index) => ({
        label: name,
        data: [...values],
        maxBarThickness: 48,
        borderRadius: 2,
        backgroundColor: colorOf(index),
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      scales: {
        x: {
          stacked: true,
          // As many as fit side by side; the tooltip has each day.
          ticks: { color, maxRotation: 0, autoSkipPadding: 24 },
          grid: { display: false },
          border: { color: grid },
          title: { display: true, text: 'Day (UTC)', color },
        },
        y: {
          stacked: true,
          ticks: { color, maxTicksLimit: 5, callback: (value) => format(Number(value)) },
          grid: { color: grid },
          border: { display: false },
          title: { display: true, text: measure, color },
        },
      },
      plugins: {
        tooltip: {
          callbacks: { label: ({ dataset, parsed }) => `${dataset.label}: ${format(parsed.y ?? 0)}` },
        },
      },
    },
  });
  return (
    <>
      <Picture label={label} configure={configure} of={[JSON.stringify(series), label]} />
      <ul class="facts" aria-label="Legend">
        {series.lines.map(({ name }, index) => (
          <li key={name}>
            <svg width="12" height="12" fill={colorOf(index)} aria-hidden="true">
              <rect width="12" height="12" rx="2" />
            </svg>{' '}
            {name}
          </li>
        ))}
      </ul>
    </>
  );
}
