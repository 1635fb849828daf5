import type { Readable } from 'node:stream';
import type { ListQuery } from '../list-query.ts';
import type { FilePart } from '../upload/form-reader.ts';

/** Whose Files API a request may name; the names under which workspaces store their keys. */
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
 * The files of one account at a provider.
 *
 * Every operation throws InvalidRequest for what the provider refuses, ServiceUnavailable where it is busy,
 * ProviderUnavailable where it fails or makes no sense; those that take an id, NotFound.
 */
export interface ProviderFiles {
  /** Passes the file on as it arrives; the provider sees the end of it only when the form has ended well. */
  upload(file: Readable, part: FilePart): Promise<ProviderFile>;
  list(page: ListQuery): Promise<{ files: readonly ProviderFile[]; hasMore: boolean }>;
  find(id: string): Promise<ProviderFile>;
  remove(id: string): Promise<void>;
  content(id: string): Promise<Uint8Array>;
}
