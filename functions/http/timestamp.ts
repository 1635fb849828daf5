import * as v from 'valibot';

const RULE = 'must be an ISO 8601 date and time with a zone, such as 2030-01-31T00:00:00Z';

const written = v.pipe(
  v.string(RULE),
  v.isoTimestamp(RULE),
  v.check((text) => !Number.isNaN(Date.parse(text)), RULE),
  v.metadata({ format: 'date-time' }),
);
const inUtc = v.transform((text: string) => new Date(text).toISOString());

/** A moment as a caller writes it, kept in UTC. */
export const timestamp = v.pipe(written, inUtc);

/** The same, with what the description of the API says of it: after a transformation it would not be found. */
export const describedTimestamp = (says: string) => v.pipe(written, v.description(says), inUtc);
