/**
 * The sweeper's index: only rows with something still to do carry `active`, so the index stays as small
 * as the work at hand. Spread over shards, because every step of every job writes to it.
 */
export const OVERDUE_INDEX = 'overdue';
export const SHARDS = 8;

/** The shard that no sweeper looks at. */
export const QUARANTINED = 'quarantined';

export function shardOf(id: string): string {
  let sum = 0;
  for (const character of id) sum = (sum * 31 + character.charCodeAt(0)) % SHARDS;
  return `active-${sum}`;
}

export const allShards = (): string[] => Array.from({ length: SHARDS }, (_, shard) => `active-${shard}`);
