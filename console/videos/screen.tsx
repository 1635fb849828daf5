import { Play } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Job } from '../api/types.ts';
import { seconds, words } from '../parts/format.ts';
import { FailureNote } from '../parts/notes.tsx';
import { DownloadButton, useContentLink } from './download-button.tsx';
import { promptOf } from './draft.ts';
import { Thumbnail } from './thumbnail.tsx';
import { isOpen } from './use-jobs.ts';

/** The video, or why there is none yet. */
export function Screen({ job }: { readonly job: Job }) {
  return job.status === 'completed' ? (
    <Player job={job} name={promptOf(job) ?? job.id} />
  ) : (
    <JobProgress job={job} />
  );
}

/** In a list: a picture, until somebody plays the video. A player for each would hide the pictures behind controls. */
export function Still({ job }: { readonly job: Job }) {
  const [isPlaying, setPlaying] = useState(false);
  const [name, length] = [promptOf(job) ?? job.id, job.outputs?.[0]?.duration];
  if (job.status !== 'completed' || job.urls === undefined) return <Screen job={job} />;
  if (isPlaying) return <Player job={job} name={name} plays />;
  return (
    <button type="button" class="still" aria-label={`Play ${name}`} onClick={() => setPlaying(true)}>
      <Thumbnail job={job} />
      <Play />
      {length !== undefined && <span class="length">{seconds(length)}</span>}
    </button>
  );
}

const withoutLinks = ({ content_expires_at: end }: Job): string =>
  end !== undefined && Date.parse(end) <= Date.now()
    ? 'The video has expired.'
    : 'To play videos, your scope must include the operation group “content”.';

interface PlayerProps {
  readonly job: Job;
  readonly name: string;
  /** At once, with the focus: what was pressed for it is gone. */
  readonly plays?: boolean;
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
function Player({ job, name, plays = false }: PlayerProps) {
  // Each answer signs a link of its own: with every new one the video would begin again.
  const [source, setSource] = useState(() => firstSource(job));
  const [failure, setFailure] = useState<Error | 'unplayable'>();
  const hasShown = useRef(false);
  // Before that Chromium's would turn a wheel over the poster. `suspend` comes where a browser loads nothing unasked.
  const [hasControls, setControls] = useState(plays);
  const showControls = () => setControls(true);
  // The first link: with each new one the picture would be loaded again.
  const poster = useRef<string>();
  poster.current ??= job.thumbnail_urls?.[0] ?? undefined;
  const askForLink = useContentLink(job.id);
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (plays) video.current?.focus();
  }, []);
  if (source === undefined) return <p class="no-video">{withoutLinks(job)}</p>;
  if (failure !== undefined) return <CannotPlay failure={failure} jobId={job.id} />;
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
      ref={video}
      controls={hasControls}
      autoPlay={plays}
      playsInline
      preload="metadata"
      aria-label={name}
      poster={poster.current}
      src={`${source.link}#t=${source.from}`}
      onLoadedMetadata={() => {
        hasShown.current = true;
      }}
      onLoadedData={showControls}
      onSuspend={showControls}
      onError={(event) => void renew(event)}
    />
  );
}

function firstSource({ urls: [link] = [] }: Job): Source | undefined {
  return link === undefined ? undefined : { link, from: FIRST_FRAME, isFresh: false };
}

interface CannotPlayProps {
  readonly failure: Error | 'unplayable';
  readonly jobId: string;
}

function CannotPlay({ failure, jobId }: CannotPlayProps) {
  return (
    <div class="no-video" data-testid="cannot-play">
      {failure === 'unplayable' ? (
        <p>
          This browser cannot play this video. The browser may not support the codec, or the file may be
          damaged.
        </p>
      ) : (
        <FailureNote error={failure} />
      )}
      <DownloadButton jobId={jobId} />
    </div>
  );
}

const WAITS = {
  provider_resting: 'Waiting: the provider is resting after several failures',
  provider_busy: 'Waiting: a limit on concurrent requests to providers is reached',
  rate_limit: 'Waiting: the provider’s rate limit is reached',
  provider_unavailable: 'Waiting: the provider is unavailable',
  confirmation: 'Waiting for the provider to confirm the job',
  input: 'Waiting: an input could not be read',
} as const;

/** Stands where the video will be, and takes the same room. */
function JobProgress({ job }: { readonly job: Job }) {
  if (!isOpen(job)) return <p class="no-video">{job.error ?? words(job.status)}</p>;
  const { progress, waiting_for: wait, cancel_requested_at: cancelRequested } = job;
  const said =
    wait === undefined
      ? job.status === 'pending'
        ? 'Queued'
        : 'Generating'
      : `${WAITS[wait.reason]}${wait.error === undefined ? '' : `. An earlier submission failed: ${wait.error}`}`;
  return (
    <div class="no-video">
      <progress aria-label="Progress" max={100} {...(progress === undefined ? {} : { value: progress })} />
      <p>
        {cancelRequested === undefined ? said : 'Cancelling'}
        {progress !== undefined && ` – ${Math.round(progress)}%`}
      </p>
    </div>
  );
}
