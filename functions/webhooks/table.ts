/** The events table's index that lists a workspace's events by their place. */
export const EVENTS_BY_WORKSPACE = 'by-workspace';
/** The index that has only the lost events that can be recovered, by workspace and place. */
export const LOST_EVENTS = 'lost';
