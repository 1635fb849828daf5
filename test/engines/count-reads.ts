import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';

const answerSchema = v.object({
  output: v.object({
    ScannedCount: v.optional(v.number(), 0),
    Responses: v.optional(v.record(v.string(), v.array(v.unknown())), {}),
  }),
});

export interface Reads {
  calls: number;
  /** All rows that were read, including those that a filter left out. */
  rows: number;
}

/** Counts the calls and rows that a client reads from tables from now on. */
export function countReads(client: DynamoDBDocumentClient): Reads {
  const reads = { calls: 0, rows: 0 };
  client.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      const { output } = v.parse(answerSchema, answer);
      reads.calls++;
      reads.rows += output.ScannedCount + Object.values(output.Responses).flat().length;
      return answer;
    },
    { step: 'initialize' },
  );
  return reads;
}
