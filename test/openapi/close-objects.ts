/** A schema whose objects may hold nothing but what it names: what an answer holds beyond that is in no description. */
export function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(
    // An example is no schema, whatever its members are called.
    Object.entries(schema).map(([name, value]) => [name, name === 'example' ? value : closeObjects(value)]),
  );
  const isOpen =
    'properties' in closed && closed.type === 'object' && closed.additionalProperties === undefined;
  return isOpen ? { ...closed, additionalProperties: false } : closed;
}
