/** One of what there is by then; commands are written before anybody knows how much that will be. */
export const chosen = <T>(from: readonly T[], at: number): T | undefined =>
  from[at % Math.max(1, from.length)];
