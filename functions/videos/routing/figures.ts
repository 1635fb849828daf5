import * as v from 'valibot';

/** What one job has shown of its offer. */
export const sampleSchema = v.object({
  /** Milliseconds since the epoch. */
  at: v.number(),
  /** From its submit to its video; absent where there was none. */
  waited_seconds: v.exactOptional(v.number()),
  /** Of the video. */
  video_seconds: v.number(),
  /** Whether the provider called when it had finished; absent where it was not asked to, and in older samples. */
  told: v.exactOptional(v.boolean()),
  /** Its provider’s moderation refused the video, which tells of its offer only whether it was told. */
  is_moderated: v.exactOptional(v.literal(true)),
});
export type Sample = Readonly<v.InferOutput<typeof sampleSchema>>;

/** How an offer has done lately in this deployment. */
export interface Figures {
  readonly samples: number;
  /** The share of jobs that got their video; unknown without samples. */
  readonly successRate?: number;
  /** The median, in seconds; unknown until there are enough samples. */
  readonly latencySeconds?: number;
  /** Seconds of video for a second of waiting, the median; unknown until there are enough samples. */
  readonly throughput?: number;
  /** Its provider called at one of its latest ends, so its next ends need not be looked for closely. */
  readonly callsBack?: true;
  /** The end of its rest, in milliseconds since the epoch. */
  readonly restsUntil: number;
}

export const NO_FIGURES: Figures = { samples: 0, restsUntil: 0 };

/** Fewer samples prove nothing. */
export const ENOUGH_SAMPLES = 5;

const OLDEST_MILLISECONDS = 7 * 86_400_000;

/** @param samples in any order; old ones are left out */
export function figuresOf(samples: readonly Sample[], restsUntil: number, now: Date): Figures {
  const recent = samples.filter(({ at }) => at > now.getTime() - OLDEST_MILLISECONDS);
  const called = callsBack(recent) ? ({ callsBack: true } as const) : {};
  const judged = recent.filter(({ is_moderated }) => is_moderated !== true);
  if (judged.length === 0) return { samples: 0, ...called, restsUntil };
  const served = judged.flatMap(({ waited_seconds: waited, video_seconds: length }) =>
    waited === undefined ? [] : [{ waited, speed: length / Math.max(1, waited) }],
  );
  return {
    samples: judged.length,
    successRate: served.length / judged.length,
    ...(served.length < ENOUGH_SAMPLES
      ? {}
      : {
          latencySeconds: middle(served.map(({ waited }) => waited)),
          throughput: middle(served.map(({ speed }) => speed)),
        }),
    ...called,
    restsUntil,
  };
}

/** After so many ends in a row without a call, calls have probably stopped. */
const ENDS_WITHOUT_CALL = 5;

const callsBack = (samples: readonly Sample[]): boolean =>
  samples
    .filter(({ told }) => told !== undefined)
    .toSorted((one, other) => other.at - one.at)
    .slice(0, ENDS_WITHOUT_CALL)
    .some(({ told }) => told === true);

/** The lower one of two middles: a value that was really measured. */
function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length / 2) - 1] ?? Number.NaN;
}
