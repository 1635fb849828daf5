import type { Log } from '../../telemetry/log.ts';
import type { Job } from '../jobs/job.ts';
import type { FigureStore, Rest } from './figure-store.ts';
import type { Sample } from './figures.ts';

export interface FigureNotesPorts {
  readonly store: Pick<FigureStore, 'addSamples' | 'noteRest'>;
  readonly now: () => Date;
  readonly random: () => number;
  readonly log: Pick<Log, 'warn'>;
}

/** How often a function instance writes at most, however many jobs it ends. */
const FLUSH_MILLISECONDS = 10_000;

/**
 * What a poller has seen of offers and has not written yet. Nothing waits for these notes, and notes that are lost
 * with their instance are not missed.
 */
export class FigureNotes {
  readonly #ports: FigureNotesPorts;
  #samples = new Map<string, Sample[]>();
  /** By provider, and by workspace where it is the only one. */
  #rests = new Map<string, Rest>();
  #flushedAt = 0;

  constructor(ports: FigureNotesPorts) {
    this.#ports = ports;
  }

  /** Notes the end of a job that its provider had taken, with or without a video. */
  noteEnd(job: Job): void {
    const sample = sampleOf(job, this.#ports.now());
    if (sample === undefined || job.endpoint === undefined) return;
    const samples = this.#samples.get(job.endpoint) ?? [];
    this.#samples.set(job.endpoint, [...samples, sample]);
  }

  /** @param workspaceId the only one for which the provider rests; absent where it does for all */
  readonly noteRest = (provider: string, seconds: number, workspaceId?: string): void => {
    const until = this.#ports.now().getTime() + seconds * 1000;
    this.#rests.set(`${provider} ${workspaceId ?? ''}`, { provider, until, workspaceId });
  };

  /** Writes the notes, if the last time is long enough ago. Never fails. */
  async flush(): Promise<void> {
    const { store, now, random, log } = this.#ports;
    const at = now().getTime();
    if (at < this.#flushedAt + FLUSH_MILLISECONDS) return;
    // The instance may have slept for hours since, and the workspace may be gone.
    const rests = [...this.#rests.values()].filter(({ until }) => until > at);
    const samples = [...this.#samples];
    [this.#samples, this.#rests] = [new Map(), new Map()];
    if (samples.length + rests.length === 0) return;
    this.#flushedAt = at;
    const writes = [
      ...samples.map(([offer, noted]) => store.addSamples(offer, noted, random)),
      ...rests.map((rest) => store.noteRest(rest)),
    ];
    for (const result of await Promise.allSettled(writes)) {
      if (result.status === 'rejected') log.warn('figures not written', { error: result.reason });
    }
  }
}

/**
 * Undefined for a job that says nothing about its offer: it was never there, its caller cancelled it, or moderation
 * refused it where nobody was to call.
 */
function sampleOf(job: Job, now: Date): Sample | undefined {
  const began = job.history.find(({ status }) => status === 'in_progress')?.at;
  const { duration_seconds: video_seconds, status, error_kind, calls_back, callbacks = 0 } = job;
  if (began === undefined || video_seconds === undefined || status === 'cancelled') return undefined;
  const at = now.getTime();
  const told = calls_back === undefined ? {} : { told: callbacks > 0 };
  if (error_kind?.type === 'moderation')
    return calls_back === undefined ? undefined : { at, video_seconds, ...told, is_moderated: true };
  if (status !== 'completed') return { at, video_seconds, ...told };
  return { at, video_seconds, waited_seconds: (at - Date.parse(began)) / 1000, ...told };
}
