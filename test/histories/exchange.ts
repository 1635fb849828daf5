import * as v from 'valibot';

/** One request of a client and what came of it, as that client saw it. */
export interface Exchange {
  readonly tenant: string;
  readonly operation: 'submit' | 'get' | 'list' | 'cancel' | 'upload' | 'get file' | 'delete file';
  /** Of the job or file that it names. */
  readonly id?: string;
  readonly idempotencyKey?: string;
  /** By the client's clock, in milliseconds: all clients of a history share it. */
  readonly begun: number;
  readonly ended: number;
  /** Undefined where no answer came: nobody knows what happened. */
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

/** The jobs that an answer shows. */
export function jobsIn({ status, body }: Exchange): readonly SeenJob[] {
  if (status === undefined || status >= 300) return [];
  const page = v.safeParse(pageSchema, body);
  return (page.success ? page.output.data : [body]).flatMap((each) => {
    const job = v.safeParse(jobSchema, each);
    return job.success ? [job.output] : [];
  });
}

const fileSchema = v.object({ id: v.pipe(v.string(), v.startsWith('gw_file_')), size_bytes: v.number() });

/** The file that an answer shows. */
export function fileIn({ status, body }: Exchange): v.InferOutput<typeof fileSchema> | undefined {
  if (status === undefined || status >= 300) return undefined;
  const file = v.safeParse(fileSchema, body);
  return file.success ? file.output : undefined;
}

export const isDone = ({ status }: Exchange): boolean => status !== undefined && status < 300;

/** Whether one was over when the other began: of two at once nobody knows which came first. */
export const isBefore = (one: Exchange, other: Exchange): boolean => one.ended < other.begun;
