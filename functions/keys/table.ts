/** The keys table's index that lists every key, oldest first. */
export const KEYS_BY_CREATION = 'by-creation';
