import { Chart, type ChartConfiguration, type ChartType } from 'chart.js';
import { useEffect, useRef } from 'preact/hooks';

/** Told apart on light and dark alike, also by those who see few colours (Okabe and Ito). */
const COLORS = ['#0072b2', '#e69f00', '#009e73', '#cc79a7', '#56b4e9', '#d55e00', '#8f8f8f'];
export const colorOf = (index: number): string => COLORS[index % COLORS.length] ?? '';

interface PictureProps<Type extends ChartType> {
  readonly label: string;
  readonly configure: (color: string, grid: string) => ChartConfiguration<Type>;
  /** With each change of these it is drawn anew. */
  readonly of: readonly unknown[];
}

/** A picture of numbers that stand below it as text, so that nothing is lost to whoever cannot see it. */
export function Picture<Type extends ChartType>({ label, configure, of }: PictureProps<Type>) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current === null) return;
    const { color, borderTopColor } = getComputedStyle(canvas.current);
    const chart = new Chart(canvas.current, configure(color, borderTopColor));
    return () => chart.destroy();
  }, of);
  return (
    <div class="chart">
      <canvas ref={canvas} role="img" aria-label={label} />
    </div>
  );
}
