import * as v from 'valibot';

/** A field that an answer can do without: undefined where it is missing, null or not as expected. */
export const maybe = <const Schema extends v.GenericSchema>(schema: Schema) =>
  v.fallback(v.optional(schema), undefined);

export const text = maybe(v.string());

/** Some vendors number their errors. */
export const code = maybe(v.pipe(v.union([v.string(), v.number()]), v.transform(String)));

export const nonEmpty = v.pipe(v.string(), v.nonEmpty());

export const percent = maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(100)));
