import { createHash } from 'node:crypto';
import { defined } from '../defined.ts';
import type { FileStore } from '../files/file-store.ts';
import type { RequestedVideo } from '../videos/catalogue/requested-video.ts';
import { inputSource } from '../videos/inputs/input-source.ts';
import type { LoggedInput } from './content.ts';

export interface InputPorts {
  readonly files: Pick<FileStore, 'find'>;
  /** The bytes of an image that was sent within a request; undefined once they are gone. */
  readonly openInline: (key: string) => Promise<AsyncIterable<Uint8Array> | undefined>;
}

/** Describes each input without keeping it. */
export function loggedInputs(
  workspaceId: string,
  { frame_images, input_references }: RequestedVideo,
  ports: InputPorts,
): Promise<LoggedInput[]> {
  const used = [
    ...frame_images.map(({ frame_type, url }) => ({ role: frame_type, url })),
    ...input_references.map(({ kind, url }) => ({ role: kind, url })),
  ];
  return Promise.all(
    used.map(async ({ role, url }) => ({ role, ...(await describe(workspaceId, url, ports)) })),
  );
}

async function describe(
  workspaceId: string,
  url: string,
  { files, openInline }: InputPorts,
): Promise<Omit<LoggedInput, 'role'>> {
  const source = inputSource(url);
  switch (source.kind) {
    case 'address':
      return { name: withoutQuery(source.url), url_sha256: sha256(source.url) };
    case 'file': {
      // The content of an id never changes, so the id is as good as a digest. The file may be gone by now.
      const file = await files.find(workspaceId, source.id);
      const { filename, mime_type: content_type, size_bytes } = file ?? {};
      return { name: source.id, ...defined({ filename, content_type, size_bytes }) };
    }
    // The result of an id never changes either.
    case 'result':
      return { name: source.jobId };
    case 'inline': {
      const bytes = await openInline(source.key);
      const name = `inline/${source.key.slice(source.key.lastIndexOf('/') + 1)}`;
      const measured = bytes === undefined ? {} : await measure(bytes);
      return { name, content_type: source.mediaType, ...measured };
    }
  }
}

/**
 * The longest address that a request may name. Escaped, it can be nine times as long: a log of sixteen of them would
 * not fit into a row, and the stream would stop at it, with the logs of all workspaces behind.
 */
const LONGEST_NAME = 2048;

/** Addresses have their secrets in the query. */
function withoutQuery(address: string): string {
  const { origin, pathname } = new URL(address);
  return (origin + pathname).slice(0, LONGEST_NAME);
}

async function measure(bytes: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256');
  let size_bytes = 0;
  for await (const chunk of bytes) {
    hash.update(chunk);
    size_bytes += chunk.length;
  }
  return { size_bytes, sha256: hash.digest('hex') };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
