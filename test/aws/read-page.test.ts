import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { justBefore, readPage } from '../../functions/aws/dynamo-reads.ts';
import { createTable } from '../engines/conformance/index.ts';
import { AwsWorld } from '../engines/index.ts';

const schema = v.object({ id: v.string() });

test.each([
  ['of all rows', undefined, 250],
  ['of rows that are few and far between', 'rare', 1],
])('the pages %s have each row once, in order', async (_, kind, count) => {
  const { dynamo } = new AwsWorld().startProcess();
  const table = await createTable(dynamo, 'id', { indexes: { listed: ['part', 'id'] } });
  const ids = Array.from({ length: 250 }, (_, i) => `r${1_000 + i}`);
  for (const [i, id] of ids.entries())
    await dynamo.send(
      new PutCommand({ TableName: table, Item: { id, part: 'p', kind: i === 0 ? 'rare' : 'usual' } }),
    );
  const listing = {
    ...{ table, index: 'listed', sortKey: 'id', oldestFirst: false, from: 'r', schema },
    partition: ['part', 'p'] as const,
    where: { kind },
    tellUnreadable: () => undefined,
  };
  const found: string[] = [];
  for (let to: string | undefined = 's'; to !== undefined; ) {
    const { rows, cursor }: Awaited<ReturnType<typeof readPage<typeof schema>>> = await readPage(
      dynamo,
      { ...listing, to },
      10,
    );
    expect(rows.length).toBeLessThanOrEqual(10);
    found.push(...rows.map(({ id }) => id));
    to = cursor === null ? undefined : justBefore(cursor);
  }
  expect(found).toEqual(ids.slice(0, count).toReversed());
});
