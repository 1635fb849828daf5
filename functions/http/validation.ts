import * as v from 'valibot';
import { InvalidRequest } from './errors.ts';

/**
 * Parses what a caller sent. The error names the field and the rule: `name: must be 1 to 100 characters`.
 * Schemas write their messages for the caller.
 */
export function validate<const Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { abortEarly: true, message: defaultMessage });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const path = v.getDotPath(issue);
  if (path === null) throw new InvalidRequest(issue.message);
  throw new InvalidRequest(`${path}: ${issue.message}`, { metadata: { path } });
}

function defaultMessage(issue: v.BaseIssue<unknown>): string {
  if (issue.type === 'object' && issue.input === undefined) return 'is required';
  return `must be ${issue.expected ?? 'valid'}`;
}

/** Code points, as a reader counts characters; UTF-16 units would count an emoji twice. */
export function characters(min: number, max: number) {
  return v.pipe(
    v.string('must be a string'),
    v.check((text) => text.isWellFormed(), 'must be well-formed Unicode'),
    v.check(
      (text) => {
        const length = [...text].length;
        return length >= min && length <= max;
      },
      min === 0 ? `must be at most ${max} characters` : `must be ${min} to ${max} characters`,
    ),
  );
}

/** The reader of a query parameter that is a whole number within bounds. */
export function wholeNumber(min: number, max: number) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return v.pipe(
    v.string(rule),
    v.regex(/^\d{1,9}$/, rule),
    v.transform(Number),
    v.minValue(min, rule),
    v.maxValue(max, rule),
  );
}
