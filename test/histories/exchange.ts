import * as v from 'valibot';

/** One request and its answer, as the client saw them. */
export interface Exchange {
  readonly tenant: string;
  readonly operation: 'submit' | 'get' | 'list' | 'cancel' | 'upload' | 'get file' | 'delete file';
  /** The id of the job or file in the request. */
  readonly id?: string;
  readonly idempotencyKey?: string;
  /** In milliseconds, by the clock that all clients of a history share. */
  readonly begun: number;
  readonly ended: number;
  /** Undefined if no answer came, so that nobody knows the outcome. */
  readonly status: number | undefined;
  readonly body: unknown;
}

const jobSchema = v.object({
  id: v.string(),
  status: v.picklist(['pending', 'in_progress', 'completed', 'failed', 'cancelled', 'expired']),
  error: v.optional(v.string()),
  usage: v.optional(v.object({ cost: v.number() })),
});
export type SeenJob = v.InferOutput<typeof jobSchema>;

const pageSchema = v.object({ data: v.array(v.unknown()) });

export function jobsIn({ status, body }: Exchange): readonly SeenJob[] {
  if (status === undefined || status >= 300) return [];
  const page = v.safeParse(pageSchema, body);
  return (page.success ? page.output.data : [body]).flatMap((each) => {
    const job = v.safeParse(jobSchema, each);
    return job.success ? [job.output] : [];
  });
}

const fileSchema = v.object({ id: v.pipe(v.string(), v.startsWith('gw_file_')), size_bytes: v.number() });

export function fileIn({ status, body }: Exchange): v.InferOutput<typeof fileSchema> | undefined {
  if (status === undefined || status >= 300) return undefined;
  const file = v.safeParse(fileSchema, body);
  return file.success ? file.output : undefined;
}

export const isDone = ({ status }: Exchange): boolean => status !== undefined && status < 300;

/** Whether one exchange ended before the other began. If they overlap, their order is unknown. */
export const isBefore = (one: Exchange, other: Exchange): boolean => one.ended < other.begun;
