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
        const { until = 0, workspaceId: restsFor } = rows.get(endpoint.provider)?.rest ?? {};
        const { samples = [] } = rows.get(endpoint.id) ?? {};
        const figures = known.get(endpoint.id) ?? figuresOf(samples, until, now());
        known.set(endpoint.id, figures);
        const concernsOther = restsFor !== undefined && restsFor !== workspaceId;
        return concernsOther ? { ...figures, restsUntil: 0 } : figures;
      };
    },
    milliseconds: CACHE_MILLISECONDS,
    now,
  });
  return () => look('all');
}
