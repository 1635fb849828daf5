/** A copy of a schema that allows no additional properties, so that an undescribed field of an answer is an error. */
export function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (typeof schema !== 'object' || schema === null) return schema;
  const closed = Object.fromEntries(
    // An example is data, even if its fields have the names of schema keywords.
    Object.entries(schema).map(([name, value]) => [name, name === 'example' ? value : closeObjects(value)]),
  );
  const isOpen =
    'properties' in closed && closed.type === 'object' && closed.additionalProperties === undefined;
  return isOpen ? { ...closed, additionalProperties: false } : closed;
}
