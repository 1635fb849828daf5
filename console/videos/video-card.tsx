import { Link } from 'wouter-preact';
import type { Job } from '../api/types.ts';
import { seconds } from '../parts/format.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { When } from '../parts/when.tsx';
import { Cost } from './cost.tsx';
import { JobProgress } from './job-progress.tsx';
import { Player } from './player.tsx';
import { promptOf } from './prompt-note.ts';

export function VideoCard({ job }: { readonly job: Job }) {
  const length = job.outputs?.[0]?.duration;
  const prompt = promptOf(job);
  return (
    <article class="video-card">
      <div class="stage">
        {job.status === 'completed' ? (
          <Player job={job} name={prompt ?? job.id} />
        ) : (
          <JobProgress job={job} />
        )}
      </div>
      <div class="about">
        <Link href={`/videos/${job.id}`} class={prompt === undefined ? 'prompt quiet' : 'prompt'}>
          {prompt ?? job.id}
        </Link>
        <p class="facts">
          <StatusBadge status={job.status} />
          <span>{job.model}</span>
          <Cost job={job} />
          {length !== undefined && <span>{seconds(length)}</span>}
        </p>
        <p class="facts quiet">
          <When at={job.created_at} />
        </p>
      </div>
    </article>
  );
}
