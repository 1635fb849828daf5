/** The keys table's index that lists every key, oldest first. */
export const KEYS_BY_CREATION = 'by-creation';
/** The one that lists those of a workspace in the same order. */
export const KEYS_BY_WORKSPACE = 'by-workspace';
