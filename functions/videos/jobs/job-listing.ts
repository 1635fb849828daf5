import * as v from 'valibot';
import { justBefore, type Listing } from '../../aws/read-page.ts';
import { firstVideoId } from '../../ids.ts';
import { JOBS_BY_STATUS, JOBS_BY_WORKSPACE } from '../table.ts';
import { type JobStatus, listedAs } from './job.ts';

/** Below and above every id. */
const FIRST_ID = 'vid_';
const LAST_ID = 'vid_{';

export interface JobFilter {
  readonly status?: JobStatus | undefined;
  readonly model?: string | undefined;
  /** The hash of the key that submitted it. */
  readonly key?: string | undefined;
  /** Only jobs of this time or later. */
  readonly since?: Date | undefined;
  /** Only jobs before this time. */
  readonly until?: Date | undefined;
  /** Only jobs older than this one. */
  readonly before?: string | undefined;
  /** Only jobs newer than this one. */
  readonly after?: string | undefined;
  readonly oldestFirst?: boolean;
}

const idSchema = v.object({ id: v.string() });

/** The part of an index in which the filter finds its jobs. An id says when its job was submitted. */
export function listingOf(
  workspaceId: string,
  { status, model, key, since, until, before, after, oldestFirst = false }: JobFilter,
): Omit<Listing<typeof idSchema>, 'table' | 'tellUnreadable'> {
  // All ids have one length, so the next id is greater than this one with anything behind it.
  const begins = [after && `${after}0`, since && firstVideoId(since)].filter((id) => id !== undefined);
  const ends = [before, until && firstVideoId(until)].filter((end) => end !== undefined).map(justBefore);
  return {
    index: status === undefined ? JOBS_BY_WORKSPACE : JOBS_BY_STATUS,
    partition:
      status === undefined
        ? ['workspace_id', workspaceId]
        : ['workspace_status', listedAs(workspaceId, status).workspace_status],
    schema: idSchema,
    sortKey: 'id',
    from: begins.toSorted().at(-1) ?? FIRST_ID,
    to: ends.toSorted()[0] ?? LAST_ID,
    oldestFirst,
    where: { model, key_hash: key },
  };
}
