/**
 * The sweeper's index. Only rows with something left to do have `active`, so the index stays as small as the open work.
 * It is spread over shards, because every step of every job writes to it.
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
