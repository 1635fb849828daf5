import { useRef, useState } from 'preact/hooks';
import { answered } from '../api/client.ts';
import type { Job } from '../api/types.ts';
import { DownloadButton } from '../parts/action-button.tsx';
import { words } from '../parts/format.ts';
import { FailureNote } from '../parts/notes.tsx';
import { useSession } from '../session/session.tsx';
import { promptOf } from './draft.ts';
import { isOpen } from './use-jobs.ts';

/** The video, or why there is none yet. */
export function Screen({ job }: { readonly job: Job }) {
  return job.status === 'completed' ? (
    <Player job={job} name={promptOf(job) ?? job.id} />
  ) : (
    <JobProgress job={job} />
  );
}

interface PlayerProps {
  readonly job: Job;
  readonly name: string;
}

/** Safari shows the first frame only where the address names a time. */
const FIRST_FRAME = 0.001;

interface Source {
  readonly link: string;
  /** In seconds. */
  readonly from: number;
  /** It has just been signed: the end of its time is not why it fails. */
  readonly isFresh: boolean;
}

/**
 * Shows the first frame until it plays. When the time of its link is over, it goes on with another from where it was.
 * A browser that cannot play the video says so, and offers to download it.
 */
function Player({ job, name }: PlayerProps) {
  // Each answer signs a link of its own: with every new one the video would begin again.
  const [source, setSource] = useState(() => firstSource(job));
  const [failure, setFailure] = useState<Error | 'unplayable'>();
  const hasShown = useRef(false);
  // The first link: with each new one the picture would be loaded again.
  const poster = useRef<string>();
  poster.current ??= job.thumbnail_urls?.[0] ?? undefined;
  const askForLink = useContentLink(job.id);
  if (source === undefined) return <p class="no-video">The video is no longer kept.</p>;
  if (failure !== undefined) return <CannotPlay failure={failure} askForLink={askForLink} />;
  const renew = ({ currentTarget: { currentTime, error } }: { readonly currentTarget: HTMLVideoElement }) => {
    // No other link has other bytes.
    const isBroken = error?.code === MediaError.MEDIA_ERR_DECODE;
    if (isBroken || (source.isFresh && !hasShown.current)) return setFailure('unplayable');
    hasShown.current = false;
    const from = Math.max(currentTime, FIRST_FRAME);
    return askForLink().then((link) => setSource({ link, from, isFresh: true }), setFailure);
  };
  return (
    // biome-ignore lint/a11y/useMediaCaption: the API makes no captions, so there is no track to name
    <video
      controls
      playsInline
      preload="metadata"
      aria-label={name}
      poster={poster.current}
      src={`${source.link}#t=${source.from}`}
      onLoadedMetadata={() => {
        hasShown.current = true;
      }}
      onError={(event) => void renew(event)}
    />
  );
}

function firstSource({ urls: [link] = [] }: Job): Source | undefined {
  return link === undefined ? undefined : { link, from: FIRST_FRAME, isFresh: false };
}

interface CannotPlayProps {
  readonly failure: Error | 'unplayable';
  readonly askForLink: () => Promise<string>;
}

function CannotPlay({ failure, askForLink }: CannotPlayProps) {
  return (
    <div class="no-video" data-testid="cannot-play">
      {failure === 'unplayable' ? (
        <p>This browser cannot play this video; it may lack H.264, or the video may be broken.</p>
      ) : (
        <FailureNote error={failure} />
      )}
      <DownloadButton askForLink={askForLink}>Download it</DownloadButton>
    </div>
  );
}

/** Asks for a link to a job's video that is good for five minutes, without a key. */
function useContentLink(id: string): () => Promise<string> {
  const { api, scope } = useSession();
  return async () => {
    const query = { ...scope, redirect: 'false' as const };
    const link = await answered(
      api.GET('/videos/{video}/content', { params: { path: { video: id }, query } }),
    );
    return link.url;
  };
}

const WAITS = {
  provider_paused: 'The provider is paused',
  provider_busy: 'The provider is busy',
  rate_limit: 'The provider asks to wait',
  provider_unavailable: 'The provider cannot be reached',
  confirmation: 'The provider has yet to confirm',
  input: 'An input is being fetched',
} as const;

/** Stands where the video will be, and takes the same room. */
function JobProgress({ job }: { readonly job: Job }) {
  if (!isOpen(job)) return <p class="no-video">{job.error ?? words(job.status)}</p>;
  const { progress, waiting_for: wait, cancel_requested_at: cancelRequested } = job;
  const said =
    wait === undefined
      ? job.status === 'pending'
        ? 'Waiting for its turn'
        : 'Being made'
      : WAITS[wait.reason];
  return (
    <div class="no-video">
      <progress aria-label="Progress" max={100} {...(progress === undefined ? {} : { value: progress })} />
      <p>
        {cancelRequested === undefined ? said : 'Being cancelled'}
        {progress !== undefined && ` – ${Math.round(progress)} %`}
      </p>
    </div>
  );
}
