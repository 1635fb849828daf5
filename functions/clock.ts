/** The only place that reads the time; everything else is handed a clock. */
export const systemClock = (): Date => new Date();
