/** The only place where the time is taken from the air; everything else is handed a clock. */
export const systemClock = (): Date => new Date();
