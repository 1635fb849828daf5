import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale, Tooltip } from 'chart.js';
import { useEffect, useRef } from 'preact/hooks';
import { shown } from './activity-table.tsx';
import type { Measure, Series } from './series.ts';

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Legend, Tooltip);

/** Told apart on light and dark alike, also by those who see few colours (Okabe and Ito). */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8f8f8f'];

/** A picture of the table below it, so that nothing is lost to whoever cannot see it. */
export function BarChart({ series, measure }: { readonly series: Series; readonly measure: Measure }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current === null) return;
    const style = getComputedStyle(canvas.current);
    const color = style.getPropertyValue('color');
    const grid = style.getPropertyValue('border-top-color');
    const chart = new Chart(canvas.current, {
      type: 'bar',
      data: {
        labels: [...series.days],
        datasets: series.lines.map(({ name, values }, index) => ({
          label: name,
          data: [...values],
          maxBarThickness: 48,
          backgroundColor: COLORS[index % COLORS.length] ?? color,
        })),
      },
      options: {
        animation: false,
        maintainAspectRatio: false,
        scales: {
          x: { stacked: true, ticks: { color }, grid: { display: false } },
          y: {
            stacked: true,
            ticks: { color, callback: (value) => shown(Number(value), measure) },
            grid: { color: grid },
          },
        },
        plugins: { legend: { labels: { color } } },
      },
    });
    return () => chart.destroy();
  }, [series, measure]);
  return (
    <div class="chart">
      <canvas ref={canvas} role="img" aria-label={`${measure} a day; the table below has the numbers`} />
    </div>
  );
}
