import type { Log } from '../../log.ts';
import { readCache } from '../../read-cache.ts';
import type { VideoEndpoint } from '../catalogue/endpoint.ts';
import type { FigureRow, FigureStore } from './figure-store.ts';
import { type Figures, figuresOf } from './figures.ts';

export interface FigureBookPorts {
  readonly store: Pick<FigureStore, 'readAll'>;
  readonly now: () => Date;
  readonly log: Pick<Log, 'warn'>;
}

const CACHE_MILLISECONDS = 30_000;

/**
 * How endpoints have done, at most half a minute ago. If that cannot be read, nothing is known. A rest that concerns
 * one workspace only is not seen by others, nor in the public list of models.
 */
export function figureBook({ store, now, log }: FigureBookPorts) {
  const read = async (): Promise<Map<string, FigureRow>> => {
    try {
      return await store.readAll();
    } catch (error) {
      log.warn('figures not read', { error });
      return new Map();
    }
  };
  const look = readCache({
    read: async () => {
      const rows = await read();
      const known = new Map<string, Figures>();
      return (endpoint: VideoEndpoint, workspaceId?: string): Figures => {
        const { restsUntil = 0, ownRest } = rows.get(endpoint.provider) ?? {};
        const { samples = [] } = rows.get(endpoint.id) ?? {};
        const figures = known.get(endpoint.id) ?? figuresOf(samples, restsUntil, now());
        known.set(endpoint.id, figures);
        return ownRest !== undefined && ownRest.workspace_id === workspaceId
          ? { ...figures, restsUntil: Math.max(restsUntil, ownRest.until) }
          : figures;
      };
    },
    milliseconds: CACHE_MILLISECONDS,
    now,
  });
  return () => look('all');
}
