import * as v from 'valibot';
import { examples as operationExamples } from '../endpoints/definitions.ts';
import recorded from './examples.json' with { type: 'json' };

const exchangeSchema = v.object({
  request: v.optional(v.unknown()),
  /** By status. */
  answers: v.record(v.string(), v.unknown()),
});

const examplesSchema = v.object({
  /** By route. */
  operations: v.record(v.string(), exchangeSchema),
  /** By status. */
  refusals: v.record(v.string(), v.unknown()),
  /** By the type of the event. */
  events: v.record(v.string(), v.unknown()),
});
export type Examples = v.InferOutput<typeof examplesSchema>;

/** What a stage really answered. `test/contract/examples.test.ts` recorded it, and compares it with every run. */
export const examples: Examples = v.parse(examplesSchema, {
  ...recorded,
  operations: operationExamples(),
});
