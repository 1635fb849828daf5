import type { Log } from '../log.ts';
import type { ownMetrics } from '../own-metrics.ts';
import type { Destination, DestinationOf } from '../webhooks/delivery/destination.ts';
import type { DestinationStore } from './destination-store.ts';
import { generationOf } from './generation.ts';
import { generationSpan } from './generation-span.ts';
import { judgeExport } from './judge-export.ts';
import { type PostSpanPorts, postSpan } from './post-span.ts';

/** The outcome of an attempt to send a trace, or of the trace. */
export type TraceOutcome = (typeof ownMetrics.Traces.outcome)[number];

export interface TracePorts extends PostSpanPorts {
  readonly destinations: Pick<DestinationStore, 'find'>;
  readonly countTrace: (outcome: TraceOutcome) => void;
  readonly log: Pick<Log, 'warn'>;
}

const OUTCOMES = { delivered: 'sent', pending: 'retried', failed: 'dropped' } as const;

/**
 * Sends traces to the collector that the workspace has named. They have lanes of their own, so that a slow collector
 * delays no webhook.
 */
export function traceDestinations(ports: TracePorts): DestinationOf {
  const { destinations, countTrace, log } = ports;
  return async ({ id, workspace_id: workspaceId }): Promise<Destination | null> => {
    const destination = await destinations.find(workspaceId);
    if (destination === undefined) {
      countTrace('no_destination');
      log.warn('trace not sent: there is no destination', { event_id: id, workspace_id: workspaceId });
      return null;
    }
    const { host } = new URL(destination.url);
    return {
      message: 'trace attempted',
      url: destination.url,
      host,
      lane: `traces:${host}`,
      post: async (event, requestId) =>
        postSpan(destination, generationSpan(generationOf(event)), requestId, ports),
      judge: judgeExport,
      countAttempt: (_, { status }) => countTrace(OUTCOMES[status]),
      noteFailure: async (event, verdict) => {
        if (verdict.status !== 'failed') return;
        log.warn('trace dropped', { event_id: event.id, workspace_id: workspaceId, host });
      },
    };
  };
}
