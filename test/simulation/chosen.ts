/**
 * Chooses one of the things that exist. A command is drawn before their number is known, so it has a number of any
 * size.
 */
export const chosen = <T>(from: readonly T[], at: number): T | undefined =>
  from[at % Math.max(1, from.length)];
