import * as v from 'valibot';
import type { RouteId, routes } from '../endpoints/definitions.ts';
import type { PathOf } from '../http/routes.ts';
import { KEY_HASH } from '../keys/key-format.ts';
import { INTERVALS } from '../money/period.ts';
import { VIDEO_ID } from '../videos/jobs/job.ts';
import { EVENT_ID } from '../webhooks/events/event.ts';

type PathName = { [Id in RouteId]: keyof PathOf<(typeof routes)[Id]> }[RouteId];

/** What the parameters in paths stand for. */
export const pathParameters: Readonly<Record<PathName, v.GenericSchema>> = {
  file: v.pipe(v.string(), v.description('The id of a file: `gw_file_…`, or the provider’s own')),
  video: v.pipe(v.string(), v.regex(VIDEO_ID), v.description('The id of a job')),
  workspace: v.pipe(v.string(), v.description('The id (a UUID) or the slug of a workspace')),
  hash: v.pipe(v.string(), v.regex(KEY_HASH), v.description('The hash of a key')),
  id: v.pipe(v.string(), v.uuid(), v.description('The id of a provider key')),
  guardrail: v.pipe(v.string(), v.uuid(), v.description('The id of a guardrail')),
  interval: v.pipe(v.picklist(INTERVALS), v.description('Which of the budgets')),
  provider: v.pipe(v.string(), v.description('The first part of the id of an endpoint')),
  name: v.pipe(v.string(), v.description('The rest of the id of an endpoint')),
  asset: v.pipe(v.string(), v.description('The name of a file of the page')),
  delivery: v.pipe(v.string(), v.regex(EVENT_ID), v.description('The id of an event')),
};
