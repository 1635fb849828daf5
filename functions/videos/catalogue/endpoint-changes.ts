import * as v from 'valibot';
import { Catalogue } from './catalogue.ts';
import { endpointSchema, type VideoEndpoint } from './endpoint.ts';

/** What a running stage has otherwise than the file that it was deployed with. */
export interface EndpointChanges {
  readonly rows: readonly VideoEndpoint[];
  readonly removed: readonly string[];
  readonly paused: readonly string[];
}

export const NO_CHANGES: EndpointChanges = { rows: [], removed: [], paused: [] };

/** A row that this version cannot read is left out; the others hold. */
export const changesSchema = v.object({
  rows: v.pipe(
    v.array(v.unknown()),
    v.transform((rows) =>
      rows.flatMap((row) => {
        const read = v.safeParse(endpointSchema, row);
        return read.success ? [read.output] : [];
      }),
    ),
  ),
  removed: v.array(v.string()),
  paused: v.array(v.string()),
});

/** The catalogue as it is with them: a row of a known id takes its place, the others come after. */
export function withChanges(base: Catalogue, { rows, removed, paused }: EndpointChanges): Catalogue {
  const merged = new Map([...base.endpoints, ...rows].map((endpoint) => [endpoint.id, endpoint]));
  return new Catalogue(
    [...merged.values()].filter(({ id }) => !removed.includes(id)),
    paused,
  );
}

/** An endpoint is added, or replaced. */
export const put = (
  changes: EndpointChanges,
  endpoint: VideoEndpoint,
  isPaused: boolean,
): EndpointChanges => ({
  rows: [...changes.rows.filter(({ id }) => id !== endpoint.id), endpoint],
  removed: without(changes.removed, endpoint.id),
  paused: [...without(changes.paused, endpoint.id), ...(isPaused ? [endpoint.id] : [])],
});

/** Jobs that its provider has go on. */
export const remove = (changes: EndpointChanges, id: string): EndpointChanges => ({
  rows: changes.rows.filter((row) => row.id !== id),
  removed: [...without(changes.removed, id), id],
  paused: without(changes.paused, id),
});

export const pause = (changes: EndpointChanges, id: string, isPaused: boolean): EndpointChanges => ({
  ...changes,
  paused: [...without(changes.paused, id), ...(isPaused ? [id] : [])],
});

/** As the file has it. */
export const restore = (changes: EndpointChanges, id: string): EndpointChanges => ({
  rows: changes.rows.filter((row) => row.id !== id),
  removed: without(changes.removed, id),
  paused: without(changes.paused, id),
});

const without = (ids: readonly string[], id: string) => ids.filter((each) => each !== id);
