import * as v from 'valibot';

/** The fields of a video job that commands show; all other fields are kept for `--json`. */
export const jobSchema = v.looseObject({
  id: v.string(),
  status: v.string(),
  model: v.optional(v.string()),
  created_at: v.optional(v.string()),
  progress: v.optional(v.number()),
  error: v.optional(v.string()),
  usage: v.optional(v.looseObject({ cost: v.number() })),
});
export type Job = v.InferOutput<typeof jobSchema>;

export const hasEnded = ({ status }: Job): boolean => status !== 'pending' && status !== 'in_progress';

/** `vid_…  completed  2026-11-21 09:43:02  sandbox/clip-1  $0.04` */
export function jobLine({ id, status, model, created_at: created, usage, error }: Job): string {
  const time = created?.slice(0, 19).replace('T', ' ') ?? '';
  const end = usage === undefined ? (error ?? '') : `$${usage.cost}`;
  return [id, status.padEnd(11), time, model ?? '', end].join('  ').trimEnd();
}
