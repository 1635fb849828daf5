import * as v from 'valibot';
import { jsonObject, text } from '../../http/validation.ts';
import type { Json } from '../providers/provider.ts';

const MOST_BYTES = 32 * 1024;
/** DynamoDB's smallest magnitude. The largest is that of integers which JavaScript keeps exactly. */
const SMALLEST = 1e-130;

const storableNumber = v.pipe(
  v.number(),
  v.check(
    (number) => number === 0 || (Math.abs(number) >= SMALLEST && Math.abs(number) <= Number.MAX_SAFE_INTEGER),
    `must be 0, or of a magnitude from ${SMALLEST} to ${Number.MAX_SAFE_INTEGER}`,
  ),
);

const memberName = v.pipe(text(), v.nonEmpty('must have a name'));

/** The schema is chosen by the value's type, not by trial, so that an error names the very member that is wrong. */
const json: v.GenericSchema<Json> = v.lazy((input) => {
  if (typeof input === 'string') return text();
  if (typeof input === 'number') return storableNumber;
  if (Array.isArray(input)) return v.array(json);
  if (typeof input === 'object' && input !== null) return v.record(memberName, json);
  return v.union([v.null(), v.boolean()]);
});

/**
 * `provider.options`: settings for each provider, passed on unchanged. The row that keeps them with the job sets their
 * limits.
 */
export const providerOptions = v.pipe(
  jsonObject(
    v.pipe(
      v.record(memberName, jsonObject(v.record(memberName, json))),
      v.description(
        'Settings by provider, at most 32 KiB; those of the provider that serves it are passed on',
      ),
    ),
  ),
  v.check(
    (options) => Buffer.byteLength(JSON.stringify(options)) <= MOST_BYTES,
    `must be at most ${MOST_BYTES} bytes of JSON`,
  ),
);
