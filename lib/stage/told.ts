import * as v from 'valibot';

/** A setting with its text for docs/configuration.md. */
export const told = <const Schema extends v.GenericSchema>(schema: Schema, text: string) =>
  v.pipe(schema, v.description(text));
