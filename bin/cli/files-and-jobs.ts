import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import * as v from 'valibot';
import { apiCommand, openApi, show } from './api-command.ts';
import { type Cli, UsageError } from './cli.ts';
import { jobLine, jobSchema } from './job.ts';

const fileSchema = v.looseObject({ id: v.string(), mime_type: v.string(), size_bytes: v.number() });
const jobListSchema = v.looseObject({ data: v.array(jobSchema) });

export const uploadCommand = (cli: Cli) =>
  apiCommand('upload', 'Uploads files, up to 100 MiB each. Genway detects their types from their bytes.', [
    'upload shots.md fox.png',
    'upload fox.png --json',
  ])
    .argument('<file...>', 'the files')
    .action(async (paths, options) => {
      const api = await openApi(options, 'api_key', cli);
      for (const path of paths) {
        const form = new FormData();
        form.append('file', await fileAt(path), basename(path));
        const file = await api.ask('/files', fileSchema, { form });
        show(file, [`${file.id}  ${file.mime_type}  ${file.size_bytes}  ${path}`], options.json, cli);
      }
    });

/** The file is read from disk while it is sent. @throws UsageError */
async function fileAt(path: string): Promise<Blob> {
  try {
    return await openAsBlob(path);
  } catch (cause) {
    throw new UsageError(`${path} cannot be read`, { cause });
  }
}

export const jobsCommand = (cli: Cli) =>
  apiCommand('jobs', 'Lists video jobs, newest first, or shows one.', [
    'jobs',
    'jobs --status failed --limit 5',
    'jobs vid_… --json',
  ])
    .argument('[id]', 'show only this job')
    .option('--status <status>', 'pending, in_progress, completed, failed, cancelled or expired')
    .option('--limit <number>', 'how many, up to 100', '20')
    .action(async (id, options) => {
      const api = await openApi(options, 'api_key', cli);
      if (id !== undefined) {
        const job = await api.ask(`/videos/${encodeURIComponent(id)}`, jobSchema);
        return show(job, [jobLine(job)], options.json, cli);
      }
      const { status, limit } = options;
      const query = new URLSearchParams({ limit, ...(status === undefined ? {} : { status }) });
      const list = await api.ask(`/videos?${query}`, jobListSchema);
      show(list, list.data.map(jobLine), options.json, cli);
    });
