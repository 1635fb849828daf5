import { useRef, useState } from 'preact/hooks';
import type { Job } from '../api/types.ts';
import { useContentLink } from './use-content-link.ts';

interface PlayerProps {
  readonly job: Job;
  readonly name: string;
}

/**
 * Shows the first frame until it plays; Safari does so only where the address names a time. A browser that cannot play
 * the video says so, and offers to download it.
 */
export function Player({ job, name }: PlayerProps) {
  // Each answer signs a link of its own: with every new one the video would begin again.
  const link = useRef(job.urls?.[0]);
  const [fresh, setFresh] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  const askForLink = useContentLink(job.id);
  const src = fresh ?? link.current;
  const renew = async () => {
    // A link ends after an hour. One that has only just been made is not why it failed.
    const again = fresh === undefined ? await askForLink().catch(() => undefined) : undefined;
    if (again === undefined) setFailed(true);
    else setFresh(again);
  };
  if (src === undefined) return <p class="no-video">The video is no longer kept.</p>;
  if (hasFailed) return <CannotPlay onDownload={askForLink} />;
  return (
    // biome-ignore lint/a11y/useMediaCaption: the API makes no captions, so there is no track to name
    <video
      controls
      playsInline
      preload="metadata"
      aria-label={name}
      src={`${src}#t=0.001`}
      onError={() => void renew()}
    />
  );
}

function CannotPlay({ onDownload }: { readonly onDownload: () => Promise<string> }) {
  return (
    <div class="no-video" data-testid="cannot-play">
      <p>This browser cannot play this video; it may lack H.264.</p>
      <button type="button" onClick={() => void onDownload().then((url) => window.location.assign(url))}>
        Download it
      </button>
    </div>
  );
}
