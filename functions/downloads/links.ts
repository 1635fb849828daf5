/** A link that works without a credential until it expires. */
export interface SignedLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** An object, and how it is to be shown to whoever downloads it. */
export type Download =
  | { readonly key: string; readonly shownAs: 'video' }
  /** As plain bytes to save under a name: a browser must never run what a caller uploaded. */
  | { readonly key: string; readonly shownAs: 'attachment'; readonly filename: string };

/** How long a link works that leads straight to a download. */
export const DOWNLOAD_SECONDS = 300;

/** Makes links to the objects of one bucket, valid from `now`. They answer ranges. */
export type MakeLink = (download: Download, now: Date, seconds?: number) => Promise<SignedLink>;
