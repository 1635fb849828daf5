import type { Headers } from './call.ts';

/**
 * The fields of a request by their names in lower case. A repeated field means its values with commas between (RFC 9110,
 * section 5.3); where only one may be given, such as a credential, that is not a valid value.
 */
export function joinedHeaders(
  fields: Readonly<Record<string, string | readonly string[] | undefined>>,
): Headers {
  const values = new Map<string, string[]>();
  for (const [field, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const name = field.toLowerCase();
    values.set(name, [...(values.get(name) ?? []), value].flat());
  }
  return Object.fromEntries([...values].map(([name, all]) => [name, all.join(', ')]));
}
