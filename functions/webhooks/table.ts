/** The events table's index that lists a workspace's events by their place. */
export const EVENTS_BY_WORKSPACE = 'by-workspace';
