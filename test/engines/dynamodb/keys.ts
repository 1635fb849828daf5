import { ValidationFailed } from './errors.ts';
import { allNames, type KeyNames, keyNames, type TableSchema } from './schema.ts';
import { type Item, typeOf, type Value } from './value.ts';

const LONGEST_HASH = 2048;
const LONGEST_RANGE = 1024;

/**
 * Checks a key and puts its attributes into the schema's order, so that equal keys have equal JSON.
 * @param row the row that contains the key; error messages then name the row
 * @throws ValidationFailed
 */
export function checkKey(schema: TableSchema, names: KeyNames, key: Item, row?: Item): Item {
  const wanted = allNames(names);
  if (row === undefined && Object.keys(key).length !== wanted.length) throw noSuchKey();
  return Object.fromEntries(
    wanted.map((name) => {
      const value = key[name];
      if (value === undefined) throw row === undefined ? noSuchKey() : keyMissing(name);
      if (typeOf(value) !== typeInSchema(schema, name)) {
        throw row === undefined
          ? noSuchKey()
          : typeMismatch(schema, name, value, ['for key', 'expected', 'actual']);
      }
      checkLength(name, value, name === names.hash);
      return [name, value];
    }),
  );
}

/** Checks that index keys have their declared types. @throws ValidationFailed */
export function checkIndexKeys(schema: TableSchema, item: Item): void {
  for (const { IndexName, KeySchema } of schema.GlobalSecondaryIndexes) {
    const names = keyNames(KeySchema);
    for (const name of allNames(names)) {
      const value = item[name];
      if (value === undefined) continue;
      if (typeOf(value) !== typeInSchema(schema, name)) {
        throw typeMismatch(
          schema,
          name,
          value,
          ['for Index Key', 'Expected', 'Actual'],
          ` IndexName: ${IndexName}`,
        );
      }
      checkLength(name, value, name === names.hash);
    }
  }
}

const typeInSchema = ({ AttributeDefinitions }: TableSchema, name: string) =>
  AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType;

function checkLength(name: string, value: Value, isHash: boolean): void {
  const length =
    'S' in value ? Buffer.byteLength(value.S) : 'B' in value ? Buffer.byteLength(value.B, 'base64') : 1;
  if (length === 0) {
    throw new ValidationFailed(
      `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${'S' in value ? 'string' : 'binary'} value. Key: ${name}`,
    );
  }
  const longest = isHash ? LONGEST_HASH : LONGEST_RANGE;
  if (length <= longest) return;
  throw new ValidationFailed(
    `One or more parameter values were invalid: Size of ${isHash ? 'hashkey' : 'rangekey'} has exceeded the maximum size limit of${longest} bytes`,
  );
}

const noSuchKey = () => new ValidationFailed('The provided key element does not match the schema');

const keyMissing = (name: string) =>
  new ValidationFailed(`One or more parameter values were invalid: Missing the key ${name} in the item`);

const typeMismatch = (
  schema: TableSchema,
  name: string,
  value: Value,
  [what, expected, actual]: readonly [string, string, string],
  where = '',
) =>
  new ValidationFailed(
    `One or more parameter values were invalid: Type mismatch ${what} ${name} ${expected}: ${typeInSchema(schema, name)} ${actual}: ${typeOf(value)}${where}`,
  );
