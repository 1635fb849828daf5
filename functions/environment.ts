import * as v from 'valibot';
import { variables } from './environment-names.ts';

/** Read once, when a function starts: a missing setting fails the deployment's first call, not its hundredth. */
export function readEnvironment<const Entries extends v.ObjectEntries>(
  entries: Entries,
  source: NodeJS.ProcessEnv = process.env,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> {
  const result = v.safeParse(v.object(entries), source);
  if (result.success) return result.output;
  const names = result.issues.map((issue) => v.getDotPath(issue) ?? 'environment').join(', ');
  throw new Error(`Missing or invalid environment variables: ${names}`);
}

/** One variable of the deployment, such as the name of a table. */
export function setting(name: keyof typeof variables): string;
export function setting<const Schema extends v.GenericSchema<string | undefined, unknown>>(
  name: keyof typeof variables,
  schema: Schema,
): v.InferOutput<Schema>;
export function setting(name: keyof typeof variables, schema: v.GenericSchema = v.string()): unknown {
  return readEnvironment({ [variables[name]]: schema })[variables[name]];
}
