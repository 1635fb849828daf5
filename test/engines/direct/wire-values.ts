type Plain = Readonly<Record<string, unknown>>;

/** The fields of requests and answers that contain rows or parts of rows. */
const FIELDS: ReadonlyMap<string, 'row' | 'rows' | 'rows by table' | 'requests by table'> = new Map([
  ['Item', 'row'],
  ['Key', 'row'],
  ['Attributes', 'row'],
  ['ExpressionAttributeValues', 'row'],
  ['ExclusiveStartKey', 'row'],
  ['LastEvaluatedKey', 'row'],
  ['Items', 'rows'],
  ['Keys', 'rows'],
  ['Responses', 'rows by table'],
  // A table may be called like one of the fields above.
  ['RequestItems', 'requests by table'],
  ['UnprocessedKeys', 'requests by table'],
  ['UnprocessedItems', 'requests by table'],
]);

/** The wire form of a document client's request. Undefined values are left out. */
export const toWire = (input: unknown): unknown => convert(input, rowToWire);
/** The document client's form of an answer. */
export const fromWire = (output: unknown): unknown => convert(output, rowFromWire);

function convert(value: unknown, row: (row: Plain) => Plain): unknown {
  if (Array.isArray(value)) return value.map((each) => convert(each, row));
  if (!isPlain(value)) return value;
  const rows = (list: unknown) => (Array.isArray(list) ? list.map((each) => row(Object(each))) : list);
  return mapped(value, (each, name) => {
    switch (FIELDS.get(name)) {
      case 'row':
        return row(Object(each));
      case 'rows':
        return rows(each);
      case 'rows by table':
        return mapped(Object(each), rows);
      case 'requests by table':
        return mapped(Object(each), (request) => convert(request, row));
      default:
        return convert(each, row);
    }
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
  const given: Plain = Object(wire);
  // The types in the order of their frequency.
  if ('S' in given) return given.S;
  if ('N' in given) return Number(given.N);
  if ('M' in given) return rowFromWire(Object(given.M));
  if ('L' in given) return listOf(given.L).map(valueFromWire);
  if ('BOOL' in given) return given.BOOL;
  if ('NULL' in given) return null;
  if ('SS' in given) return new Set(listOf(given.SS));
  if ('NS' in given) return new Set(listOf(given.NS).map(Number));
  return 'B' in given ? Buffer.from(String(given.B), 'base64') : undefined;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function mapped(object: Plain, map: (value: unknown, name: string) => unknown): Plain {
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    const value = object[name];
    if (value !== undefined) result[name] = map(value, name);
  }
  return result;
}

function isPlain(value: unknown): value is Plain {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype?.constructor?.name === 'Object';
}
