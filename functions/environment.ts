import * as v from 'valibot';

/** Read once, at the start of a function: a missing setting stops the deployment's first call, not its hundredth. */
export function readEnvironment<const Entries extends v.ObjectEntries>(
  entries: Entries,
  source: NodeJS.ProcessEnv = process.env,
): v.InferOutput<v.ObjectSchema<Entries, undefined>> {
  const result = v.safeParse(v.object(entries), source);
  if (result.success) return result.output;
  const names = result.issues.map((issue) => v.getDotPath(issue) ?? 'environment').join(', ');
  throw new Error(`The function's environment is wrong: ${names}`);
}
