import * as v from 'valibot';
import type { Json } from './provider.ts';

const jsonSchema: v.GenericSchema<Json> = v.lazy(() =>
  v.union([
    v.null(),
    v.boolean(),
    v.number(),
    v.string(),
    v.array(jsonSchema),
    v.record(v.string(), jsonSchema),
  ]),
);
/** The form in which a row keeps what only an adapter reads. */
export const jsonObjectSchema = v.record(v.string(), jsonSchema);
