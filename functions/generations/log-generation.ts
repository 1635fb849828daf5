import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { streamedText } from '../aws/consumers.ts';
import type { Log } from '../telemetry/log.ts';
import type { JobStore } from '../videos/jobs/job-store.ts';
import type { Workspace } from '../workspaces/workspace.ts';
import type { WorkspaceStore } from '../workspaces/workspace-store.ts';
import { contentOf } from './content.ts';
import type { ContentStore } from './content-store.ts';
import { generationOf } from './generation.ts';
import { type InputPorts, loggedInputs } from './logged-inputs.ts';
import type { ContentOwner, SealedContent } from './sealed-content.ts';

/** A job that has ended, as its event tells of it. */
export const endedJobSchema = v.object({ workspace_id: streamedText, job_id: streamedText });
type EndedJob = v.InferOutput<typeof endedJobSchema>;

export interface LogPorts {
  readonly workspaces: Pick<WorkspaceStore, 'findById'>;
  readonly jobs: Pick<JobStore, 'find' | 'requestOf' | 'whileRequested'>;
  readonly contents: Pick<ContentStore, 'add'>;
  readonly inputs: InputPorts;
  readonly seal: (owner: ContentOwner, text: string) => Promise<SealedContent>;
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

/** What a workspace wants to have logged. */
export type LoggingSettings = Pick<
  Workspace,
  'is_observability_io_logging_enabled' | 'io_logging_sampling_rate' | 'io_logging_api_key_ids'
>;

/** Keys are named by their hash; null means all of them, an empty list none. */
export function isLogged(
  { id, key_hash }: { readonly id: string; readonly key_hash: string },
  settings: LoggingSettings,
): boolean {
  const keys = settings.io_logging_api_key_ids;
  if (!settings.is_observability_io_logging_enabled) return false;
  return (keys === null || keys.includes(key_hash)) && isSampled(id, settings.io_logging_sampling_rate);
}

/** The same id always gives the same answer. A sample is part of every larger one. */
export const isSampled = (id: string, rate: number): boolean => positionOf(id) < rate;

const BITS = 48;

/** At least 0 and less than 1. */
const positionOf = (id: string): number =>
  createHash('sha256')
    .update(id)
    .digest()
    .readUIntBE(0, BITS / 8) /
  2 ** BITS;
