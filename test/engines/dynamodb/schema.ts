import * as v from 'valibot';

const keySchemaSchema = v.pipe(
  v.array(v.strictObject({ AttributeName: v.string(), KeyType: v.picklist(['HASH', 'RANGE']) })),
  v.minLength(1),
  v.maxLength(2),
);

const indexSchema = v.strictObject({
  IndexName: v.string(),
  KeySchema: keySchemaSchema,
  Projection: v.strictObject({
    ProjectionType: v.picklist(['ALL', 'KEYS_ONLY', 'INCLUDE']),
    NonKeyAttributes: v.optional(v.array(v.string()), []),
  }),
});

/** A table, as in CreateTable. */
export const tableSchema = v.strictObject({
  TableName: v.string(),
  KeySchema: keySchemaSchema,
  AttributeDefinitions: v.array(
    v.strictObject({ AttributeName: v.string(), AttributeType: v.picklist(['S', 'N', 'B']) }),
  ),
  GlobalSecondaryIndexes: v.optional(v.array(indexSchema), []),
  BillingMode: v.optional(v.literal('PAY_PER_REQUEST')),
});
export type TableSchema = v.InferOutput<typeof tableSchema>;

/** The attributes that identify a row, or order it in an index. */
export interface KeyNames {
  readonly hash: string;
  readonly range: string | undefined;
}

export function keyNames(schema: TableSchema['KeySchema']): KeyNames {
  const nameOf = (type: string) => schema.find(({ KeyType }) => KeyType === type)?.AttributeName;
  const hash = nameOf('HASH');
  if (hash === undefined) throw new Error('a key schema without a HASH key');
  return { hash, range: nameOf('RANGE') };
}

export const allNames = ({ hash, range }: KeyNames): string[] =>
  range === undefined ? [hash] : [hash, range];
