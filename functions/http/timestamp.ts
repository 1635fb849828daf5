import * as v from 'valibot';

const RULE = 'must be an ISO 8601 date and time with a zone, such as 2030-01-31T00:00:00Z';

/** A moment as a caller writes it, kept in UTC. */
export const timestamp = v.pipe(
  v.string(RULE),
  v.isoTimestamp(RULE),
  v.check((text) => !Number.isNaN(Date.parse(text)), RULE),
  v.metadata({ format: 'date-time' }),
  v.transform((text) => new Date(text).toISOString()),
);
