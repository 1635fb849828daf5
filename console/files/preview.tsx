import { useQuery } from '@tanstack/preact-query';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiFailure, answered } from '../api/client.ts';
import type { StoredFile } from '../api/types.ts';
import { Loading } from '../parts/loaded.tsx';
import { FailureNote } from '../parts/notes.tsx';
import { useSession } from '../session/session.tsx';
import { previewKind } from './preview-kind.ts';

const MOST_CHARACTERS = 20_000;

/** The bytes come from a signed link and stay in this page, under the type that the API found. */
export function Preview({ file }: { readonly file: StoredFile }) {
  const { data: blob, error } = useBytes(file);
  if (error !== null) return <FailureNote error={error} />;
  if (blob === undefined) return <Loading what="the file" />;
  return previewKind(file) === 'text' ? (
    <TextPreview blob={blob} />
  ) : (
    <MediaPreview file={file} blob={blob} />
  );
}

function useBytes(file: StoredFile, enabled = true) {
  const { workspaceId } = useSession();
  const askForLink = useFileLink(file.id);
  return useQuery({
    queryKey: ['preview', workspaceId, file.id],
    enabled,
    queryFn: async ({ signal }) => {
      const response = await fetch(await askForLink(), { credentials: 'omit', signal });
      if (!response.ok) throw new ApiFailure(response.status, 'The file could not be downloaded. Try again.');
      return new Blob([await response.arrayBuffer()], { type: file.mime_type });
    },
  });
}

/** A list shows many: of larger images, the whole would be loaded for a picture of 40 pixels. */
const LARGEST_THUMBNAIL = 1024 ** 2;

export const hasThumbnail = (file: StoredFile): boolean =>
  previewKind(file) === 'image' && file.size_bytes <= LARGEST_THUMBNAIL;

/** Loads the image when it comes into view. */
export function FileThumbnail({ file }: { readonly file: StoredFile }) {
  const place = useRef<HTMLSpanElement>(null);
  const [isSeen, setSeen] = useState(false);
  const { data: blob } = useBytes(file, isSeen);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    if (place.current !== null) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return (
    <span ref={place} class="file-thumbnail">
      {blob !== undefined && <Picture blob={blob} alt="" />}
    </span>
  );
}

function TextPreview({ blob }: { readonly blob: Blob }) {
  const { data: text = '' } = useQuery({ queryKey: ['preview-text', blob], queryFn: () => blob.text() });
  return <pre class="preview">{text.slice(0, MOST_CHARACTERS)}</pre>;
}

function useBlobUrl(blob: Blob): string {
  const url = useMemo(() => URL.createObjectURL(blob), [blob]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return url;
}

const Picture = ({ blob, alt }: { readonly blob: Blob; readonly alt: string }) => (
  <img src={useBlobUrl(blob)} alt={alt} />
);

function MediaPreview({ file, blob }: { readonly file: StoredFile; readonly blob: Blob }) {
  const url = useBlobUrl(blob);
  if (previewKind(file) === 'image') return <img class="preview" src={url} alt={file.filename} />;
  // biome-ignore lint/a11y/useMediaCaption: somebody's own sound, of which there is no transcript
  return <audio class="preview" controls src={url} aria-label={file.filename} />;
}

/** Asks for a link to a file's bytes that is good for five minutes, without a key. */
export function useFileLink(id: string): () => Promise<string> {
  const { api, scope } = useSession();
  return async () => {
    const query = { ...scope, redirect: 'false' as const };
    const link = await answered(api.GET('/files/{file}/content', { params: { path: { file: id }, query } }));
    if (typeof link === 'string')
      throw new ApiFailure(200, 'The API returned the file instead of a link to it');
    return link.url;
  };
}
