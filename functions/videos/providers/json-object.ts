import * as v from 'valibot';
import type { Json } from './provider.ts';

// Only the schema's own name is lazy: what `lazy` encloses is made anew for each value.
const nestedSchema: v.GenericSchema<Json> = v.lazy(() => jsonSchema);
// The commonest first: each that does not fit makes an issue before the next is tried.
const jsonSchema: v.GenericSchema<Json> = v.union([
  v.string(),
  v.number(),
  v.boolean(),
  v.null(),
  v.array(nestedSchema),
  v.record(v.string(), nestedSchema),
]);
/** The form in which a row keeps what only an adapter reads. */
export const jsonObjectSchema = v.record(v.string(), jsonSchema);
