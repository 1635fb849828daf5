import { useRef } from 'preact/hooks';
import type { Job } from '../api/types.ts';

/** A picture of a job’s video: its thumbnail, or the first frame until there is one. */
export function Thumbnail({ job }: { readonly job: Job }) {
  // Each response signs other links: with every new one the picture would be loaded again.
  const picture = useRef<string>();
  const video = useRef<string>();
  picture.current ??= job.thumbnail_urls?.[0] ?? undefined;
  video.current ??= job.urls?.[0];
  if (picture.current !== undefined)
    return <img class="thumbnail" src={picture.current} alt="" loading="lazy" />;
  if (video.current === undefined) return <span class="thumbnail" />;
  return (
    <video
      class="thumbnail"
      src={`${video.current}#t=0.001`}
      preload="metadata"
      muted
      playsInline
      tabIndex={-1}
      aria-hidden="true"
    />
  );
}
