import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { type Exchange, fileIn, isBefore, isDone, jobsIn, type SeenJob } from './exchange.ts';

const RANKS: Readonly<Record<SeenJob['status'], number>> = {
  pending: 0,
  in_progress: 1,
  completed: 2,
  failed: 2,
  cancelled: 2,
  expired: 2,
};
const ENDED = 2;

/** Checks what clients must never see, whatever fails. @returns a line for each violation */
export function checkHistory(history: readonly Exchange[]): string[] {
  return [
    ...RULES.flatMap((rule) => rule(history)),
    ...history.flatMap((exchange) => formOf(exchange).map((what) => `${nameOf(exchange)} ${what}`)),
  ];
}

const RULES = [neverBack, acceptedStays, answeredOnce, nobodyElses, filesStay] as const;

const nameOf = ({ tenant, operation, id = '', begun }: Exchange) =>
  `${tenant} ${operation} ${id} at ${begun}:`;

interface Sight {
  readonly exchange: Exchange;
  readonly job: SeenJob;
}

/** Each job as clients saw it, ordered by the end of the exchange. */
function sightsByJob(history: readonly Exchange[]): Map<string, Sight[]> {
  const sights = history.flatMap((exchange) =>
    jobsIn(exchange)
      // A list may lag a little, and a replayed answer shows an older state.
      .filter(() => exchange.operation === 'get' || exchange.operation === 'cancel')
      .map((job) => ({ exchange, job })),
  );
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
  const [was, is] = [RANKS[before.status], RANKS[after.status]];
  if (is < was) return [`it was ${before.status} and is ${after.status}`];
  if (was < ENDED) return [];
  const [end, now] = [before, after].map(({ status, error, usage }) => ({ status, error, usage }));
  return isDeepStrictEqual(end, now)
    ? []
    : [`it had ended as ${JSON.stringify(end)} and has as ${JSON.stringify(now)}`];
}

/** The tenant can always see a job that was accepted. */
function acceptedStays(history: readonly Exchange[]): string[] {
  const accepted = history.filter((each) => each.operation === 'submit' && isDone(each));
  return accepted.flatMap((submit) => {
    const [job] = jobsIn(submit);
    return history
      .filter(
        ({ operation, id, tenant }) => operation === 'get' && id === job?.id && tenant === submit.tenant,
      )
      .filter((get) => isBefore(submit, get) && get.status === 404)
      .map((get) => `${nameOf(get)} it was accepted and is not found`);
  });
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

/** No tenant sees the jobs of another one: each request gets a 404, and no list contains them. */
function nobodyElses(history: readonly Exchange[]): string[] {
  const owners = new Map<string, string>();
  for (const exchange of history.filter(
    ({ operation }) => operation === 'submit' || operation === 'upload',
  )) {
    const ids = [...jobsIn(exchange).map(({ id }) => id), fileIn(exchange)?.id];
    for (const id of ids) if (id !== undefined) owners.set(id, exchange.tenant);
  }
  const isForeign = (id: string | undefined, { tenant }: Exchange) =>
    id !== undefined && owners.has(id) && owners.get(id) !== tenant;
  return history.flatMap((exchange) => {
    const shown = [...jobsIn(exchange).map(({ id }) => id), fileIn(exchange)?.id];
    const seen = shown.filter((id) => isForeign(id, exchange)).map((id) => `it shows another's ${id}`);
    const isAnswered = seen.length === 0 && isForeign(exchange.id, exchange) && isDone(exchange);
    const all = isAnswered ? [`it succeeds with another's ${exchange.id}`] : seen;
    return all.map((what) => `${nameOf(exchange)} ${what}`);
  });
}

/** A stored file exists until its owner asks for its deletion. After the deletion it never comes back. */
function filesStay(history: readonly Exchange[]): string[] {
  const reads = history.filter(({ operation }) => operation === 'get file');
  return history.flatMap((exchange) => {
    const id = exchange.operation === 'upload' ? fileIn(exchange)?.id : exchange.id;
    const own = reads.filter((read) => read.id === id && read.tenant === exchange.tenant);
    const later = own.filter((read) => isBefore(exchange, read));
    if (exchange.operation === 'upload' && isDone(exchange)) {
      const deletions = history.filter((each) => each.operation === 'delete file' && each.id === id);
      return later
        .filter((read) => read.status === 404 && !deletions.some(({ begun }) => begun < read.ended))
        .map((read) => `${nameOf(read)} it was stored and is not found`);
    }
    if (exchange.operation !== 'delete file' || !isDone(exchange)) return [];
    return later.filter(isDone).map((read) => `${nameOf(read)} it was deleted and is found`);
  });
}

const errorSchema = v.object({ error: v.object({ code: v.number(), message: v.string() }) });

/** Every refusal has our error body, and a 5xx reveals no internals. */
function formOf({ status, body }: Exchange): string[] {
  if (status === undefined || status < 400) return [];
  const read = v.safeParse(errorSchema, body);
  if (!read.success) return [`it has another error body: ${status} ${JSON.stringify(body)}`];
  const tells = status >= 500 && /dynamo|table|amazon|stack|errno/i.test(read.output.error.message);
  return tells ? [`it reveals internals: ${read.output.error.message}`] : [];
}
