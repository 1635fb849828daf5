import { useRef, useState } from 'preact/hooks';
import type { Job } from '../api/types.ts';
import { DownloadButton } from '../parts/download-button.tsx';
import { FailureNote } from '../parts/failure-note.tsx';
import { useContentLink } from './use-content-link.ts';

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
export function Player({ job, name }: PlayerProps) {
  // Each answer signs a link of its own: with every new one the video would begin again.
  const [source, setSource] = useState(() => firstSource(job));
  const [failure, setFailure] = useState<Error | 'unplayable'>();
  const hasShown = useRef(false);
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
