/**
 * The tables that may still name a deleted workspace by its id, and why. Nothing else of it is left anywhere: no prompt,
 * address, name or byte.
 */
export const REMAINS: ReadonlyMap<string, string> = new Map([
  [
    'Accounts',
    'reports add up its costs by day; and its account is closed for ever, so that nothing can be spent on it',
  ],
  ['Audit', 'who deleted it'],
  ['Buckets', 'what is left of its rates; it expires two minutes after its last call'],
  ['Lists', 'its empty lists of keys and provider keys'],
  ['VideosJobs', 'reports show what each generation cost'],
  ['VideosShares', 'that none of its jobs occupies a worker; it expires a day after the last one did'],
  ['WebhooksSettings', 'the number of its latest secret'],
]);
