import * as v from 'valibot';
import type { Call } from '../http/call.ts';
import { InvalidRequest } from '../http/errors.ts';
import { query } from '../http/query.ts';
import { pageSize } from '../http/validation.ts';
import { PURPOSES } from './upload/purpose.ts';

/**
 * Where a page begins, in the words of our own clients (`cursor`) and of two providers' (`after`; `after_id`, `page`).
 */
const STARTS = ['cursor', 'after', 'after_id', 'page'] as const;

export interface ListQuery {
  readonly limit: number;
  readonly after: string | undefined;
  readonly purpose?: string | undefined;
}

/** The query of a list of files whose ids have this form; without one, of any files. */
export function fileListQuery(id?: RegExp) {
  const text = v.pipe(
    v.string(),
    v.description(
      'The last id of the page before. `cursor`, `after`, `after_id` and `page` mean the same: send one of them',
    ),
  );
  const start = v.optional(id === undefined ? text : v.pipe(text, v.regex(id, 'must be the id of a file')));
  return {
    limit: v.optional(pageSize(1000), '100'),
    purpose: v.optional(
      v.pipe(
        v.picklist(PURPOSES, `must be one of ${PURPOSES.join(', ')}`),
        v.description('Only files of this purpose'),
      ),
    ),
    order: v.optional(
      v.pipe(
        v.literal('asc', 'must be asc: files are listed oldest first'),
        v.description('Oldest first is the only order'),
      ),
    ),
    before_id: v.optional(v.never('is not supported; page forward with after_id')),
    cursor: start,
    after: start,
    after_id: start,
    page: start,
  };
}

/**
 * @param id the form of the files' ids
 * @throws InvalidRequest
 */
export function listQuery(call: Pick<Call, 'query'>, id: RegExp): ListQuery {
  const given = query(call, fileListQuery(id));
  const starts = STARTS.filter((name) => given[name] !== undefined);
  const [name, other] = starts;
  if (other !== undefined) {
    throw new InvalidRequest(`${starts.join(', ')}: send only one of them`, { metadata: { path: other } });
  }
  const { limit, purpose } = given;
  return { limit, purpose, after: name === undefined ? undefined : given[name] };
}
