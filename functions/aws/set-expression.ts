/**
 * A `SET` of these attributes. Each has an alias, because its name may be one of DynamoDB's reserved words and a
 * condition may compare the same attribute with another value.
 */
export function setExpression(changes: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(changes);
  return {
    set: `SET ${entries.map((_, i) => `#change${i} = :change${i}`).join(', ')}`,
    names: Object.fromEntries(entries.map(([name], i) => [`#change${i}`, name])),
    values: Object.fromEntries(entries.map(([, value], i) => [`:change${i}`, value])),
  };
}
