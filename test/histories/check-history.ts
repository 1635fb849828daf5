import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { RouteId } from '../../functions/endpoints/definitions.ts';
import {
  type Exchange,
  isBefore,
  isDone,
  isWhole,
  jobsIn,
  MAKERS,
  type Seen,
  type SeenJob,
  seenIn,
} from './exchange.ts';

/** How far a job is. It never goes back. */
export const RANK: Readonly<Record<SeenJob['status'], number>> = {
  pending: 0,
  in_progress: 1,
  completed: 2,
  failed: 2,
  cancelled: 2,
  expired: 2,
};
export const ENDED = 2;

/** Fields that never change after the end. The others may: links are signed again, and videos expire. */
const LASTING = ['id', 'status', 'error', 'usage', 'model', 'completed_at', 'metadata', 'generation_id'];

/** How wrong the clock of a machine may be that counts as right. */
const INACCURACY = 100;

/**
 * Checks what clients must never see, whatever fails. @returns a line for each violation
 *
 * @param hadWrongClocks whether nobody can say when a file is over, because machines had very wrong clocks
 */
export function checkHistory(history: readonly Exchange[], hadWrongClocks = false): string[] {
  return [
    ...[neverBack, answeredOnce, nobodyElses].flatMap((rule) => rule(history)),
    ...thereUntilTheirEnd(history, hadWrongClocks),
    ...history.flatMap((exchange) => formOf(exchange).map((what) => `${nameOf(exchange)} ${what}`)),
  ];
}

const nameOf = ({ tenant, route, id = '', begun }: Exchange) => `${tenant} ${route} ${id} at ${begun}:`;

interface Sight {
  readonly exchange: Exchange;
  readonly job: SeenJob;
}

/** Each job as clients saw it, ordered by the end of the exchange. */
function sightsByJob(history: readonly Exchange[]): Map<string, Sight[]> {
  const sights = history
    // A list may lag a little, and a replayed answer shows an older state.
    .filter(({ route }) => route === 'get-video' || route === 'cancel-video')
    .flatMap((exchange) => jobsIn(exchange).map((job) => ({ exchange, job })));
  return Map.groupBy(
    sights.toSorted((a, b) => a.exchange.ended - b.exchange.ended),
    ({ job }) => job.id,
  );
}

/** A job only moves forward. Once it has ended, neither its end nor its cost changes. */
function neverBack(history: readonly Exchange[]): string[] {
  return [...sightsByJob(history).values()].flatMap((sights) =>
    sights.flatMap((later, place) =>
      sights
        .slice(0, place)
        .filter(({ exchange }) => isBefore(exchange, later.exchange))
        .flatMap(({ job }) => changeOf(job, later.job))
        .slice(0, 1)
        .map((change) => `${nameOf(later.exchange)} ${change}`),
    ),
  );
}

function changeOf(before: SeenJob, after: SeenJob): string[] {
  const [was, is] = [RANK[before.status], RANK[after.status]];
  if (is < was) return [`it was ${before.status} and is ${after.status}`];
  if (was < ENDED) return [];
  const changed = LASTING.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const [end, now] = [before, after].map((job) => JSON.stringify(changed.map((name) => job[name])));
  return changed.length === 0 ? [] : [`it had ended with ${changed} ${end} and has ${now}`];
}

/** One idempotency key of a tenant creates one job, and every answer equals the first one. */
function answeredOnce(history: readonly Exchange[]): string[] {
  const keyed = history.filter((each) => each.idempotencyKey !== undefined && isDone(each));
  const orders = Map.groupBy(keyed, ({ tenant, idempotencyKey }) => `${tenant} ${idempotencyKey}`);
  return [...orders].flatMap(([order, [first, ...others]]) =>
    others
      .filter(({ body }) => !isDeepStrictEqual(body, first?.body))
      .map(({ body }) => `${order} was answered ${JSON.stringify(first?.body)} and ${JSON.stringify(body)}`),
  );
}

/** No tenant sees the jobs or files of another one: each request gets a 404, and no list contains them. */
function nobodyElses(history: readonly Exchange[]): string[] {
  const makers = history.filter(({ route }) => MAKERS.includes(route));
  const owners = new Map(makers.flatMap((each) => seenIn(each).map(({ id }) => [id, each.tenant] as const)));
  const isForeign = (id: string | undefined, { tenant }: Exchange) =>
    id !== undefined && owners.has(id) && owners.get(id) !== tenant;
  return history.flatMap((exchange) => {
    const shown = seenIn(exchange).filter(({ id }) => isForeign(id, exchange));
    const seen = shown.map(({ id }) => `it shows another's ${id}`);
    const isAnswered = seen.length === 0 && isForeign(exchange.id, exchange) && isDone(exchange);
    const all = isAnswered ? [`it succeeds with another's ${exchange.id}`] : seen;
    return all.map((what) => `${nameOf(exchange)} ${what}`);
  });
}

const REMOVALS: readonly RouteId[] = ['delete-video', 'delete-file'];
const READS: readonly RouteId[] = ['get-video', 'get-file', 'get-file-content', 'list-files', ...REMOVALS];

/** What was accepted exists for its tenant until it is deleted or expires. Then it never comes back. */
function thereUntilTheirEnd(history: readonly Exchange[], hadWrongClocks: boolean): string[] {
  const made = history
    .filter(({ route }) => MAKERS.includes(route))
    .flatMap((maker) => seenIn(maker).map((seen) => ({ maker, seen })));
  return made.flatMap(({ maker, seen }) => {
    const own = history.filter(({ tenant, route }) => tenant === maker.tenant && READS.includes(route));
    const later = own.filter((each) => isBefore(maker, each) && isAbout(each, maker, seen));
    const removals = own.filter(({ route, id }) => REMOVALS.includes(route) && id === seen.id);
    const isExcused = hadWrongClocks && maker.route === 'upload-file';
    return later.flatMap((each) =>
      sightOf(each, seen, removals, isExcused).map((what) => `${nameOf(each)} ${seen.id} ${what}`),
    );
  });
}

const isAbout = ({ id, route }: Exchange, maker: Exchange, seen: Seen): boolean =>
  id === seen.id || (route === 'list-files' && maker.route === 'upload-file');

function sightOf(
  each: Exchange,
  { id, expires_at }: Seen,
  removals: readonly Exchange[],
  isExcused: boolean,
): string[] {
  const isList = each.route === 'list-files';
  const isFound = isList ? seenIn(each).some((seen) => seen.id === id) : isDone(each);
  const isMissed = isList ? isDone(each) && isWhole(each) && !isFound : each.status === 404;
  const others = removals.filter((removal) => removal !== each && removal.begun <= each.ended);
  const mayBeRemoved = others.some(({ status = 500 }) => status < 400 || status >= 500);
  const end = expires_at === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires_at);
  if (isMissed && !mayBeRemoved && each.ended < end - INACCURACY && !isExcused)
    return ['was accepted and is not found'];
  if (!isFound || REMOVALS.includes(each.route)) return [];
  if (others.some((removal) => isDone(removal) && isBefore(removal, each)))
    return ['was deleted and is found'];
  return each.begun > end + INACCURACY && !isExcused ? ['has expired and is found'] : [];
}

const errorSchema = v.object({ error: v.object({ code: v.number(), message: v.string() }) });

/** Every refusal has our error body, and a 5xx reveals no internals. */
export function formOf({ status, body }: Pick<Exchange, 'status' | 'body'>): string[] {
  if (status === undefined || status < 400) return [];
  const read = v.safeParse(errorSchema, body);
  if (!read.success) return [`it has another error body: ${status} ${JSON.stringify(body)}`];
  const tells = status >= 500 && /dynamo|table|amazon|stack|errno/i.test(read.output.error.message);
  return tells ? [`it reveals internals: ${read.output.error.message}`] : [];
}
