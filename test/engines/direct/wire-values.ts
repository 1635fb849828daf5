type Plain = Readonly<Record<string, unknown>>;

/** The fields of requests and answers that contain rows or parts of rows. */
const ROWS = [
  'Item',
  'Key',
  'Attributes',
  'ExpressionAttributeValues',
  'ExclusiveStartKey',
  'LastEvaluatedKey',
];
const LISTS_OF_ROWS = ['Items', 'Keys'];
const ROWS_BY_TABLE = ['Responses'];
/** A table may be called like one of the fields above. */
const REQUESTS_BY_TABLE = ['RequestItems', 'UnprocessedKeys', 'UnprocessedItems'];

/** The wire form of a document client's request. Undefined values are left out. */
export const toWire = (input: unknown): unknown => convert(input, rowToWire);
/** The document client's form of an answer. */
export const fromWire = (output: unknown): unknown => convert(output, rowFromWire);

function convert(value: unknown, row: (row: Plain) => Plain): unknown {
  if (Array.isArray(value)) return value.map((each) => convert(each, row));
  if (!isPlain(value)) return value;
  const rows = (list: unknown) => (Array.isArray(list) ? list.map((each) => row(Object(each))) : list);
  return mapped(value, (each, name) => {
    if (ROWS.includes(name)) return row(Object(each));
    if (LISTS_OF_ROWS.includes(name)) return rows(each);
    if (ROWS_BY_TABLE.includes(name)) return mapped(Object(each), rows);
    if (REQUESTS_BY_TABLE.includes(name)) return mapped(Object(each), (request) => convert(request, row));
    return convert(each, row);
  });
}

const rowToWire = (row: Plain): Plain => mapped(row, valueToWire);
export const rowFromWire = (row: Plain): Plain => mapped(row, valueFromWire);

function valueToWire(value: unknown): Plain {
  if (value === null) return { NULL: true };
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'boolean') return { BOOL: value };
  if (typeof value === 'number') return { N: numberToWire(value) };
  if (value instanceof Uint8Array) return { B: Buffer.from(value).toString('base64') };
  if (value instanceof Set) return setToWire([...value]);
  if (Array.isArray(value)) return { L: value.filter((each) => each !== undefined).map(valueToWire) };
  if (isPlain(value)) return { M: rowToWire(value) };
  throw new Error(`No row takes ${value}`);
}

function numberToWire(value: number): string {
  if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  throw new Error(`No row takes the number ${value}`);
}

function setToWire(elements: readonly unknown[]): Plain {
  const [first] = elements;
  if (typeof first === 'string') return { SS: elements };
  if (typeof first === 'number') return { NS: elements.map(String) };
  throw new Error(`No row takes a set of ${elements}`);
}

function valueFromWire(wire: unknown): unknown {
  const [entry] = Object.entries(Object(wire));
  const [type, value]: [string, unknown] = entry ?? ['nothing', undefined];
  switch (type) {
    case 'NULL':
      return null;
    case 'N':
      return Number(value);
    case 'B':
      return Buffer.from(String(value), 'base64');
    case 'L':
      return Array.isArray(value) ? value.map(valueFromWire) : [];
    case 'M':
      return rowFromWire(Object(value));
    case 'SS':
      return new Set(Array.isArray(value) ? value : []);
    case 'NS':
      return new Set(Array.isArray(value) ? value.map(Number) : []);
    default:
      return value;
  }
}

function mapped(object: Plain, map: (value: unknown, name: string) => unknown): Plain {
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (value !== undefined) result[name] = map(value, name);
  }
  return result;
}

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value)?.constructor?.name === 'Object';
