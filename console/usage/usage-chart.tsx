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
import { shortDay } from '../parts/format.ts';
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
      labels: series.days.map(shortDay),
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
        },
        y: {
          stacked: true,
          ticks: { color, maxTicksLimit: 5, callback: (value) => format(Number(value)) },
          grid: { color: grid },
          border: { display: false },
        },
      },
      plugins: {
        legend: { align: 'start', position: 'bottom', labels: { color, boxWidth: 12, boxHeight: 12 } },
        tooltip: {
          callbacks: { label: ({ dataset, parsed }) => `${dataset.label}: ${format(parsed.y ?? 0)}` },
        },
      },
    },
  });
  return <Picture label={label} configure={configure} of={[JSON.stringify(series), label]} />;
}
