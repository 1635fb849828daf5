import * as v from 'valibot';

/** Attributes on the wire. `readItem` checks each of them, so that `v.record` would check and copy them in vain. */
export const attributes = v.custom<Record<string, unknown>>(
  (input) => typeof input === 'object' && input !== null,
  ({ received }) => `Invalid type: Expected Object but received ${received}`,
);
