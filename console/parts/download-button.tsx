import type { ComponentChildren } from 'preact';
import { useAction } from '../api/use-action.ts';
import { ActionButton } from './action-button.tsx';

interface DownloadButtonProps {
  /** A link that is good for some minutes, without a key. */
  readonly askForLink: () => Promise<string>;
  /** Tells this button from others that say the same. */
  readonly label?: string;
  readonly children: ComponentChildren;
}

/** What the link leads to is an attachment: the browser stays where it is. */
export function DownloadButton({ askForLink, label, children }: DownloadButtonProps) {
  const download = useAction(async () => window.location.assign(await askForLink()), []);
  return (
    <ActionButton action={download} label={label}>
      {children}
    </ActionButton>
  );
}
