/** The intervals that a limit may be counted over, in the order in which limits must grow. */
export const INTERVALS = ['daily', 'weekly', 'monthly', 'lifetime'] as const;
export type Interval = (typeof INTERVALS)[number];

const DAY_MILLISECONDS = 86_400_000;
const day = (at: Date): string => at.toISOString().slice(0, 10);

/**
 * The name of the period that a moment is in. Periods begin at 00:00 UTC, on Monday, on the 1st. Nothing has to run for
 * that: a count with another period's name is over. Later periods sort after earlier ones.
 */
export function periodOf(interval: Interval, at: Date): string {
  switch (interval) {
    case 'daily':
      return day(at);
    case 'weekly':
      return day(new Date(at.getTime() - ((at.getUTCDay() + 6) % 7) * DAY_MILLISECONDS));
    case 'monthly':
      return at.toISOString().slice(0, 7);
    case 'lifetime':
      return 'lifetime';
  }
}

/** When the period of `at` ends; a lifetime never does. */
export function periodEnd(interval: Interval, at: Date): Date | undefined {
  const start = new Date(`${periodOf(interval, at)}T00:00:00Z`);
  switch (interval) {
    case 'daily':
      return new Date(start.getTime() + DAY_MILLISECONDS);
    case 'weekly':
      return new Date(start.getTime() + 7 * DAY_MILLISECONDS);
    case 'monthly':
      return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
    case 'lifetime':
      return undefined;
  }
}

export const eachInterval = <T>(make: (interval: Interval) => T): Record<Interval, T> => ({
  daily: make('daily'),
  weekly: make('weekly'),
  monthly: make('monthly'),
  lifetime: make('lifetime'),
});
