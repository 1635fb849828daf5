import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { StoredDestination } from './destination.ts';
import type { EndedGeneration } from './generation-span.ts';
import type { Span } from './otlp-request.ts';

const TEXTS = ['model', 'provider', 'user_id', 'session_id'] as const;
const FIELDS = [...TEXTS, 'total_cost'] as const;
type Value = string | number | undefined;

/** What each rule may ask of a value, which is undefined where the generation has none. */
const OPERATORS = {
  equals: (found: Value, value: Value) => found === value,
  not_equals: (found: Value, value: Value) => found !== value,
  contains: (found: Value, value: Value) => textOf(found).includes(textOf(value)),
  not_contains: (found: Value, value: Value) => !textOf(found).includes(textOf(value)),
  starts_with: (found: Value, value: Value) => textOf(found).startsWith(textOf(value)),
  ends_with: (found: Value, value: Value) => textOf(found).endsWith(textOf(value)),
  gt: (found: Value, value: Value) => Number(found) > Number(value),
  lt: (found: Value, value: Value) => Number(found) < Number(value),
  gte: (found: Value, value: Value) => Number(found) >= Number(value),
  lte: (found: Value, value: Value) => Number(found) <= Number(value),
  exists: (found: Value) => found !== undefined,
  not_exists: (found: Value) => found === undefined,
} as const;
type Operator = keyof typeof OPERATORS;

const textOf = (value: Value): string => String(value ?? '');

const OF_ANY: readonly Operator[] = ['equals', 'not_equals', 'exists', 'not_exists'];
const OF_NUMBERS: readonly Operator[] = [...OF_ANY, 'gt', 'lt', 'gte', 'lte'];
const OF_TEXTS: readonly Operator[] = [...OF_ANY, 'contains', 'not_contains', 'starts_with', 'ends_with'];
const NAMES = [...new Set([...OF_TEXTS, ...OF_NUMBERS])];

const LONGEST_TEXT = 500;
const VALUE_RULE = `must be a number for total_cost, and text of at most ${LONGEST_TEXT} characters for the other fields`;

const ruleSchema = v.pipe(
  v.object({
    field: v.pipe(
      v.picklist(
        FIELDS,
        `must be one of ${FIELDS.join(', ')}; traces contain no prompts, results or token counts`,
      ),
      v.description('Field to compare. `user_id` is the `user` field of the submission'),
    ),
    operator: v.pipe(
      v.picklist(NAMES),
      v.description(
        'Comparison operator. `gt`, `lt`, `gte` and `lte` are only for `total_cost`; `contains`, `not_contains`, `starts_with` and `ends_with` are only for other fields',
      ),
    ),
    value: v.exactOptional(
      v.pipe(
        v.union([v.string(), v.number()], VALUE_RULE),
        v.description(
          'Value to compare with: a number in USD for `total_cost`, and text of at most 500 characters for other fields. Omit it for `exists` and `not_exists`',
        ),
      ),
    ),
  }),
  v.check(
    ({ field, operator }) => (field === 'total_cost' ? OF_NUMBERS : OF_TEXTS).includes(operator),
    `operator must be one of ${OF_NUMBERS.join(', ')} for total_cost, and one of ${OF_TEXTS.join(', ')} for the other fields`,
  ),
  v.check(
    ({ field, operator, value }) =>
      operator.endsWith('exists') ||
      (field === 'total_cost'
        ? typeof value === 'number'
        : typeof value === 'string' && value.length <= LONGEST_TEXT),
    `value: ${VALUE_RULE}`,
  ),
);

const some = <const Schema extends v.GenericSchema>(item: Schema, most: number) =>
  v.pipe(v.array(item), v.minLength(1), v.maxLength(most));

/** Which generations are sent. */
export const filterRulesSchema = v.object({
  enabled: v.optional(
    v.pipe(v.boolean(), v.description('Whether the rules apply. `false`: every job matches')),
    true,
  ),
  groups: v.pipe(
    some(
      v.object({
        logic: v.optional(
          v.pipe(
            v.picklist(['and', 'or'], 'must be "and" or "or"'),
            v.description('`and`: every rule must match; `or`: at least one'),
          ),
          'and',
        ),
        rules: some(ruleSchema, 20),
      }),
      10,
    ),
    v.description('Groups of rules. A job must match every group'),
  ),
});

type Filter = Pick<StoredDestination, 'enabled' | 'sampling_rate' | 'api_key_hashes' | 'filter_rules'>;

/** Whether a destination gets the trace of a generation. Every attempt is judged alike. */
export function isChosen(
  generation: EndedGeneration,
  { of, traceId = of }: Pick<Span, 'of' | 'traceId'>,
  keyHash: string | undefined,
  { enabled, sampling_rate: rate, api_key_hashes: hashes, filter_rules: filter }: Filter,
): boolean {
  if (!enabled || shareOf(traceId) >= rate) return false;
  if (hashes !== null && (keyHash === undefined || !hashes.includes(keyHash))) return false;
  return filter === null || !filter.enabled || filter.groups.every((group) => passes(generation, group));
}

/** Where a trace is between 0 and 1. Spans of one trace share a place, so that no trace is sent in part. */
function shareOf(traceId: string): number {
  const digest = createHash('sha256').update(`genway-sample/${traceId}`).digest();
  return digest.readUInt32BE() / 2 ** 32;
}

type Group = v.InferOutput<typeof filterRulesSchema>['groups'][number];

function passes(generation: EndedGeneration, { logic, rules }: Group): boolean {
  const found = valuesOf(generation);
  const matches = rules.map(({ field, operator, value }) => OPERATORS[operator](found[field], value));
  return logic === 'and' ? !matches.includes(false) : matches.includes(true);
}

const valuesOf = ({ model, provider, user, session_id, usage }: EndedGeneration) => ({
  model,
  provider,
  user_id: user,
  session_id,
  total_cost: usage?.cost ?? 0,
});
