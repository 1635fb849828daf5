import * as v from 'valibot';
import { streamedText } from '../aws/consume-stream.ts';
import type { Log } from '../log.ts';
import type { JobStore } from '../videos/jobs/job-store.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { contentOf } from './content.ts';
import type { ContentStore } from './content-store.ts';
import { generationOf } from './generation.ts';
import { isLogged } from './is-logged.ts';
import { type InputPorts, loggedInputs } from './logged-inputs.ts';
import type { Owner, Sealed } from './sealed-content.ts';

/** A job that has ended, as its event tells of it. */
export const endedJobSchema = v.object({ workspace_id: streamedText, job_id: streamedText });
export type EndedJob = v.InferOutput<typeof endedJobSchema>;

export interface LogPorts {
  readonly workspaces: Pick<WorkspaceStore, 'findById'>;
  readonly jobs: Pick<JobStore, 'find' | 'requestOf' | 'whileRequested'>;
  readonly contents: Pick<ContentStore, 'add'>;
  readonly inputs: InputPorts;
  readonly seal: (owner: Owner, text: string) => Promise<Sealed>;
  readonly keptDays: number;
  readonly log: Log;
}

const DAY_MILLISECONDS = 86_400_000;
/** A row has room for 400 KB; the rest is for its other attributes. No request comes near that. */
const LARGEST_LOG = 390 * 1024;

/**
 * Logs what went into and came out of a job that has ended, if its workspace wants that now. It may run again: only the
 * first log of a generation is kept.
 */
export async function logGeneration({ workspace_id, job_id }: EndedJob, ports: LogPorts): Promise<void> {
  const { workspaces, jobs, contents, inputs, keptDays } = ports;
  const workspace = await workspaces.findById(workspace_id);
  // Most workspaces log nothing, and then nothing more is read.
  if (!workspace?.is_observability_io_logging_enabled) return;
  const job = await jobs.find(job_id);
  const generation = job && generationOf(job);
  if (job === undefined || generation === undefined || !isLogged(generation, workspace)) return;
  const request = await jobs.requestOf(job);
  const media = await loggedInputs(workspace_id, request, inputs);
  const text = JSON.stringify(contentOf(generation, request, media));
  const owner = { workspace_id, generation_id: generation.id };
  const bytes = Buffer.byteLength(text);
  if (bytes > LARGEST_LOG) {
    // A retry would fail for ever, and the logs of all workspaces behind it would wait.
    ports.log.error('generation too large for a log', { generation_id: generation.id, bytes });
    return;
  }
  const sealed = await ports.seal(owner, text);
  const end = new Date(Date.parse(job.completed_at ?? job.updated_at) + keptDays * DAY_MILLISECONDS);
  const isKept = await contents.add(owner, sealed, end, jobs.whileRequested(job));
  ports.log.info('generation logged', { generation_id: owner.generation_id, is_kept: isKept });
}
