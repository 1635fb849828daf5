import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  Legend,
  LinearScale,
  Tooltip,
} from 'chart.js';
import { colorOf, Picture } from '../parts/chart.tsx';
import type { Series } from './series.ts';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Legend, Tooltip);

interface UsageChartProps {
  readonly series: Series;
  readonly label: string;
  readonly format: (value: number) => string;
}

export function UsageChart({ series, label, format }: UsageChartProps) {
  const configure = (color: string, grid: string): ChartConfiguration<'bar'> => ({
    type: 'bar',
    data: {
      labels: [...series.days],
      datasets: series.lines.map(({ name, values }, index) => ({
        label: name,
        data: [...values],
        maxBarThickness: 48,
        backgroundColor: colorOf(index),
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      scales: {
        x: { stacked: true, ticks: { color }, grid: { display: false } },
        y: {
          stacked: true,
          ticks: { color, callback: (value) => format(Number(value)) },
          grid: { color: grid },
        },
      },
      plugins: { legend: { labels: { color } } },
    },
  });
  return <Picture label={label} configure={configure} of={[JSON.stringify(series), label]} />;
}
