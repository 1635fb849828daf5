import type { AlarmRule } from './alarm-rule.ts';
import type { Measure, Panel } from './measure.ts';

/** The period of a panel. The threshold of a sum is only right for the same period. */
const PANEL_MINUTES = 5;

export interface Threshold {
  readonly label: string;
  readonly value: number;
}

/** The thresholds of alarms on a panel's metrics. Thresholds of zero are left out, because they are on the axis. */
export function thresholdsOf({ lines }: Panel, rules: readonly AlarmRule[]): Threshold[] {
  const drawn = new Set(lines.map(identity));
  const conditions = rules.flatMap((rule) => rule.conditions);
  const labels = conditions
    .filter(({ measure }) => drawn.has(identity(measure)))
    .filter(({ measure, minutes }) => measure.statistic !== 'Sum' || minutes === PANEL_MINUTES)
    .flatMap(({ over, under }): [string, number][] => {
      if (over !== undefined && over > 0) return [[`alarm over ${shown(over)}`, over]];
      return under === undefined ? [] : [[`alarm under ${shown(under)}`, under]];
    });
  return [...new Map(labels)].map(([label, value]) => ({ label, value }));
}

/** Rounds, because a product of shares has meaningless digits. */
const shown = (value: number): number => Number(value.toPrecision(6));

const identity = ({ namespace, name, dimensions, statistic }: Measure): string =>
  JSON.stringify([namespace, name, dimensions, statistic]);
