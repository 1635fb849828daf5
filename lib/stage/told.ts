import * as v from 'valibot';

/** A setting, and what docs/configuration.md says of it. */
export const told = <const Schema extends v.GenericSchema>(schema: Schema, text: string) =>
  v.pipe(schema, v.description(text));
