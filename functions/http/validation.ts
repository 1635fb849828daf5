import * as v from 'valibot';
import { InvalidRequest, invalidField } from './errors.ts';
import { isObject } from './json-body.ts';
import { choicesAt, namesAt } from './schema-fields.ts';
import { didYouMean } from './unknown-names.ts';

/**
 * Parses input of a caller. The error names the field and the rule: `name: must be 1 to 100 characters`. The messages
 * of schemas are written for the caller.
 */
export function validate<const Schema extends v.GenericSchema>(
  schema: Schema,
  input: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, input, { abortEarly: true, message: defaultMessage });
  if (result.success) return result.output;
  const [issue] = result.issues;
  if (issue.path === undefined) throw new InvalidRequest(sentence(issue.message));
  const path = issue.path.map(({ key }) => key);
  if (isUnknownField(issue)) {
    const supported = namesAt(schema, input, path.slice(0, -1));
    throw invalidField(path, `${issue.message}${meant(path.at(-1), supported)}`, { supported });
  }
  const supported = issue.type === 'picklist' ? choicesAt(schema, input, path) : undefined;
  if (supported === undefined) throw invalidField(path, issue.message);
  throw invalidField(path, `${issue.message}${meant(issue.input, supported)}`, { supported });
}

const isUnknownField = ({ type, expected }: v.BaseIssue<unknown>): boolean =>
  type === 'strict_object' && expected === 'never';

/** A message that no path of a field precedes. */
const sentence = (rule: string): string => rule.slice(0, 1).toUpperCase() + rule.slice(1);

const meant = (input: unknown, supported: readonly unknown[]): string =>
  typeof input === 'string' ? didYouMean(input, supported.map(String)) : '';

const NAMES_OF_TYPES: Readonly<Record<string, string>> = {
  Object: 'an object',
  Array: 'an array',
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
};

const RULES: Readonly<Record<string, string>> = {
  integer: 'must be a whole number',
  safe_integer: 'must be a whole number below 2^53',
  min_value: 'must be at least',
  max_value: 'must be at most',
  min_length: 'must have at least',
  max_length: 'must have at most',
  iso_date: 'must be a date, such as 2030-01-31',
  url: 'must be a URL',
  uuid: 'must be a UUID',
};

/** What would be right, for rules of schemas that say nothing themselves. */
export function defaultMessage(issue: v.BaseIssue<unknown>): string {
  const { type, input, expected, requirement } = issue;
  if (input === undefined && (type === 'object' || type === 'strict_object')) return 'is required';
  if (isUnknownField(issue)) return 'is not a known field';
  // valibot writes the choices as types: `("first" | "last")`.
  if (type === 'picklist' || (type === 'variant' && expected !== 'Object'))
    return `must be one of ${expected?.replace(/[()"]/g, '').replaceAll(' | ', ', ')}`;
  const rule = RULES[type];
  if (rule !== undefined)
    return typeof requirement === 'number'
      ? `${rule} ${requirement}${unitOf(type, input, requirement)}`
      : rule;
  return `must be ${NAMES_OF_TYPES[expected ?? ''] ?? expected ?? 'valid'}`;
}

const unitOf = (type: string, input: unknown, count: number): string =>
  type.endsWith('_length') ? ` ${Array.isArray(input) ? 'item' : 'character'}${count === 1 ? '' : 's'}` : '';

export const anyJsonObject = v.custom<Record<string, unknown>>(isObject, 'must be an object');

type ObjectSchema = v.GenericSchema<Record<string, unknown>, unknown>;

/**
 * An object as `described`, which may be `v.object` or `v.record`: these alone accept an array as an object without members.
 * The API description looks at `described`.
 */
export const jsonObject = <const Schema extends ObjectSchema>(described: Schema) =>
  v.pipe({ ...anyJsonObject, described }, described);

/** A JSON escape can write half a surrogate pair, which UTF-8 cannot hold: storing it would change it. */
export function text() {
  return v.pipe(
    v.string('must be a string'),
    v.check((value) => value.isWellFormed(), 'must be well-formed Unicode'),
  );
}

/** Counts code points, as a reader counts characters; UTF-16 units would count an emoji twice. */
export function characters(min: number, max: number, subject = '') {
  return v.pipe(
    text(),
    v.check(
      (value) => {
        // A code point has at most two units: a far too long text is refused without taking it apart.
        const length = value.length > 2 * max ? value.length : [...value].length;
        return length >= min && length <= max;
      },
      `${subject}must be ${min === 0 ? 'at most' : `${min} to`} ${max} characters`,
    ),
    // JSON Schema counts code points too (RFC 8259 strings, §6.3 of its validation vocabulary).
    v.metadata({ minLength: min, maxLength: max }),
  );
}

/** A guardrail by its id, or null for none by name. */
export const guardrailId = (rule: string) =>
  v.nullable(
    v.pipe(
      v.string(rule),
      v.uuid(rule),
      v.transform((id) => id.toLowerCase()),
    ),
  );

/** Reads a query parameter that is a whole number within bounds. */
export function wholeNumber(min: number, max: number, says: string) {
  const rule = `must be a whole number from ${min} to ${max}`;
  return v.pipe(
    v.string(rule),
    v.check((text) => /^\d{1,9}$/.test(text), rule),
    v.metadata({ type: 'integer', minimum: min, maximum: max, description: says }),
    v.transform(Number),
    v.minValue(min, rule),
    v.maxValue(max, rule),
  );
}

/** The query parameter that says how many rows a page of a list has. */
export const pageSize = (most: number) => wholeNumber(1, most, 'Maximum number of items on a page');

/** The query parameter that says where a page begins. */
export const pageCursor = (pattern: RegExp) =>
  v.exactOptional(
    v.pipe(
      v.string(),
      v.regex(pattern, 'must be the cursor of the previous page'),
      v.description('`cursor` of the previous page'),
    ),
  );

/** The query parameters of a list whose pages are counted from its beginning. */
export const offsetPage = {
  offset: v.optional(wholeNumber(0, 1_000_000, 'Number of items to skip'), '0'),
  limit: v.optional(pageSize(100), '50'),
};

/** A query parameter that says yes or no. */
export const trueOrFalse = v.picklist(['true', 'false'], 'must be true or false');

export const WORKSPACE_RULE =
  'must be the ID (a UUID) or the slug of a workspace that the calling key may act in';

export const ITS_WORKSPACE =
  'ID or slug of the workspace that the job must belong to. Default: any workspace that the key may act in';

export const WORKSPACE_SAYS =
  'ID or slug of a workspace. Defaults to the workspace of the calling key. A management key may name any workspace in its scope';

/** What `checkUrl` takes, for the reference. Schemas load no egress. */
export const PUBLIC_URL =
  'Must be an https URL with a public host name and port 443 or 8443, or an http or https URL of a host in the deployment’s `allowedPrivateHosts`. At most 2,048 characters. Must not contain credentials or a fragment';

/** A workspace in a query or a body, by its id or its slug. */
export const workspaceId = v.pipe(
  v.string(WORKSPACE_RULE),
  v.regex(/^[0-9A-Za-z]+(?:-[0-9A-Za-z]+)*$/, WORKSPACE_RULE),
  v.description(WORKSPACE_SAYS),
);

const TIMESTAMP_RULE = 'must be an ISO 8601 date and time with a time zone, such as 2030-01-31T00:00:00Z';

const writtenTimestamp = v.pipe(
  v.string(TIMESTAMP_RULE),
  v.isoTimestamp(TIMESTAMP_RULE),
  v.check((text) => !Number.isNaN(Date.parse(text)) && isDay(text.slice(0, 10)), TIMESTAMP_RULE),
  v.metadata({ format: 'date-time' }),
);
/** `Date` takes the 30th of February for a day of March. */
function isDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).getUTCDate() === Number(day.slice(-2));
}
const inUtc = v.transform((text: string) => new Date(text).toISOString());

/** A moment as a caller writes it, kept in UTC. */
export const timestamp = v.pipe(writtenTimestamp, inUtc);

/** The same, with what the description of the API says of it: after a transformation it would not be found. */
export const describedTimestamp = (says: string) => v.pipe(writtenTimestamp, v.description(says), inUtc);
