import {
  Chart,
  type ChartDataset,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { useEffect, useRef } from 'preact/hooks';
import type { Span } from '../series.ts';
import type { PanelView } from '../view.ts';

Chart.register(LineController, LineElement, PointElement, LinearScale, Tooltip);

/** Told apart on light and dark alike, also by those who see few colours (Okabe and Ito). */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8f8f8f'];
const THRESHOLD_COLOR = '#d1242f';

export const colorOf = (index: number): string => COLORS[index % COLORS.length] ?? '';

interface GraphProps extends Pick<PanelView, 'title' | 'lines' | 'thresholds'> {
  readonly span: Span;
}

/** A picture of what the legend below it names. */
export function Graph({ title, lines, thresholds, span }: GraphProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current === null) return;
    const chart = draw(
      canvas.current,
      [
        ...lines.map(({ label, points }, index) => line(label, points, colorOf(index))),
        ...thresholds.map(({ label, value }) => threshold(label, value, span)),
      ],
      span,
    );
    return () => chart.destroy();
  }, [lines, thresholds, span]);
  return (
    <div class="graph">
      <canvas ref={canvas} role="img" aria-label={`${title}; the list below has the latest numbers`} />
    </div>
  );
}

type Line = ChartDataset<'line'>;

const line = (label: string, points: readonly (readonly [number, number])[], color: string): Line => ({
  label,
  data: points.map(([x, y]) => ({ x, y })),
  borderColor: color,
  backgroundColor: color,
  borderWidth: 2,
  pointRadius: 3,
});

const threshold = (label: string, y: number, { from, to }: Span): Line => ({
  label,
  data: [from, to].map((x) => ({ x, y })),
  borderColor: THRESHOLD_COLOR,
  borderDash: [6, 4],
  borderWidth: 1,
  pointRadius: 0,
});

function draw(canvas: HTMLCanvasElement, datasets: Line[], { from, to }: Span): Chart {
  const style = getComputedStyle(canvas);
  const color = style.getPropertyValue('color');
  const grid = { color: style.getPropertyValue('border-top-color') };
  return new Chart(canvas, {
    type: 'line',
    data: { datasets },
    options: {
      animation: false,
      maintainAspectRatio: false,
      scales: {
        x: {
          type: 'linear',
          min: from,
          max: to,
          ticks: { color, maxTicksLimit: 5, maxRotation: 0, callback: (at) => clock(Number(at)) },
          grid: { display: false },
        },
        y: { beginAtZero: true, ticks: { color, maxTicksLimit: 6 }, grid },
      },
      plugins: { tooltip: { callbacks: { title: ([item]) => clock(item?.parsed.x ?? 0) } } },
    },
  });
}

const clock = (at: number): string =>
  new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
