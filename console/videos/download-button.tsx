import { Download } from 'lucide-preact';
import { useAction } from '../api/action.ts';
import { ApiFailure, answered } from '../api/client.ts';
import { ActionButton } from '../parts/buttons.tsx';
import { saveAs } from '../parts/save.ts';
import { useSession } from '../session/session.tsx';

/** Asks for a link to a job's video that is good for five minutes, without a key. */
export function useContentLink(id: string): () => Promise<string> {
  const { api, scope } = useSession();
  return async () => {
    const query = { ...scope, redirect: 'false' as const };
    const link = await answered(
      api.GET('/videos/{video}/content', { params: { path: { video: id }, query } }),
    );
    return link.url;
  };
}

interface DownloadButtonProps {
  readonly jobId: string;
  readonly kind?: 'primary';
}

/**
 * The storage serves videos to be played, not as attachments: a browser that was sent to the link would leave the
 * console, and with it the key.
 */
export function DownloadButton({ jobId, kind }: DownloadButtonProps) {
  const askForLink = useContentLink(jobId);
  const download = useAction(async () => {
    // The player may have left a copy that scripts must not read.
    const response = await fetch(await askForLink(), { credentials: 'omit', cache: 'no-store' });
    if (!response.ok) throw new ApiFailure(response.status, 'The video could not be downloaded. Try again.');
    saveAs(`${jobId}.mp4`, await response.blob());
  }, []);
  return (
    <ActionButton action={download} icon={Download} {...(kind === undefined ? {} : { kind })}>
      {download.isPending ? 'Downloading …' : 'Download'}
    </ActionButton>
  );
}
