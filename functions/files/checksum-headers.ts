import type { StoredFile } from './file.ts';

/**
 * What a download can be compared with. In headers, since the fields of a file are those of three APIs, whose clients
 * know no other.
 */
export function checksumHeaders({ crc32, sha256 }: Partial<StoredFile>): Record<string, string> {
  return {
    ...(crc32 === undefined ? {} : { 'x-checksum-crc32': crc32 }),
    ...(sha256 === undefined ? {} : { 'x-checksum-sha256': sha256 }),
  };
}
