import type { Readable } from 'node:stream';
import * as v from 'valibot';
import type { ListQuery } from '../file-requests.ts';
import type { FilePart } from '../upload/upload-form.ts';

/** The providers whose Files API a request may name, by the names under which workspaces store their keys. */
export const FILE_PROVIDERS = ['openai', 'anthropic'] as const;
export type FileProviderName = (typeof FILE_PROVIDERS)[number];

/** A file as a provider describes it. */
export interface ProviderFile {
  readonly id: string;
  readonly filename: string;
  readonly mime_type: string;
  readonly size_bytes: number;
  readonly purpose: string;
  /** ISO 8601. */
  readonly created_at: string;
  readonly downloadable: boolean;
}

/**
 * The files of one account at a provider. Every operation throws InvalidRequest for what the provider refuses,
 * ServiceUnavailable where it is busy, and ProviderUnavailable where it fails or sends an answer that cannot be
 * understood; those with an id throw NotFound too.
 */
export interface ProviderFiles {
  /** Passes the file on as it arrives; the provider sees its end only if the form ends well. */
  upload(file: Readable, part: FilePart): Promise<ProviderFile>;
  list(page: ListQuery): Promise<{ files: readonly ProviderFile[]; hasMore: boolean }>;
  find(id: string): Promise<ProviderFile>;
  remove(id: string): Promise<void>;
  content(id: string): Promise<Uint8Array>;
}

const baseUrl = (vendor: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''), 'must be an http or https URL'),
      v.transform((url) => url.replace(/(?<!\/)\/+$/, '')),
    ),
    vendor,
  );

/** The addresses of the providers' file APIs; by default the vendors' own. */
export const providerBaseUrlsSchema = v.strictObject({
  openai: baseUrl('https://api.openai.com/v1'),
  anthropic: baseUrl('https://api.anthropic.com/v1'),
});

/** The addresses as a function's environment variable. */
export const providerBaseUrlsVariable = v.pipe(v.string(), v.parseJson(), providerBaseUrlsSchema);
