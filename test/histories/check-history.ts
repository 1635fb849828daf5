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

/** What clients may never see, wherever the faults were. @returns a line for each time that they did */
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

/** Each job's sights in the order in which they ended. */
function sightsByJob(history: readonly Exchange[]): Map<string, Sight[]> {
  const sights = history.flatMap((exchange) =>
    jobsIn(exchange)
      // A list is a little late, as is said of it, and a replay is what was true once.
      .filter(() => exchange.operation === 'get' || exchange.operation === 'cancel')
      .map((job) => ({ exchange, job })),
  );
  return Map.groupBy(
    sights.toSorted((a, b) => a.exchange.ended - b.exchange.ended),
    ({ job }) => job.id,
  );
}

/** Once ended, a job is ended for ever: as it ended, and at what it cost. Before that it only goes forward. */
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

/** What was accepted is there for whoever submitted it. */
function acceptedStays(history: readonly Exchange[]): string[] {
  const accepted = history.filter((each) => each.operation === 'submit' && isDone(each));
  return accepted.flatMap((submit) => {
    const [job] = jobsIn(submit);
    return history
      .filter(
        ({ operation, id, tenant }) => operation === 'get' && id === job?.id && tenant === submit.tenant,
      )
      .filter((get) => isBefore(submit, get) && get.status === 404)
      .map((get) => `${nameOf(get)} it was accepted and is not there`);
  });
}

/** One idempotency key of a tenant is one job, and its answer is the first one, every time. */
function answeredOnce(history: readonly Exchange[]): string[] {
  const keyed = history.filter((each) => each.idempotencyKey !== undefined && isDone(each));
  const orders = Map.groupBy(keyed, ({ tenant, idempotencyKey }) => `${tenant} ${idempotencyKey}`);
  return [...orders].flatMap(([order, [first, ...others]]) =>
    others
      .filter(({ body }) => !isDeepStrictEqual(body, first?.body))
      .map(({ body }) => `${order} was answered ${JSON.stringify(first?.body)} and ${JSON.stringify(body)}`),
  );
}

/** Nobody sees what is another's: it is not found, and it is in no list. */
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
    const all = isAnswered ? [`it is done with another's`] : seen;
    return all.map((what) => `${nameOf(exchange)} ${what}`);
  });
}

/** A stored file is there until its owner asks for its deletion, and never again once that was done. */
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
        .map((read) => `${nameOf(read)} it was stored and is not there`);
    }
    if (exchange.operation !== 'delete file' || !isDone(exchange)) return [];
    return later.filter(isDone).map((read) => `${nameOf(read)} it was deleted and is there`);
  });
}

const errorSchema = v.object({ error: v.object({ code: v.number(), message: v.string() }) });

/** A refusal has our form, and a fault of ours says nothing of its inside. */
function formOf({ status, body }: Exchange): string[] {
  if (status === undefined || status < 400) return [];
  const read = v.safeParse(errorSchema, body);
  if (!read.success) return [`it is refused in another form: ${status} ${JSON.stringify(body)}`];
  const tells = status >= 500 && /dynamo|table|amazon|stack|errno/i.test(read.output.error.message);
  return tells ? [`it tells of its inside: ${read.output.error.message}`] : [];
}
