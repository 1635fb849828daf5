import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ServiceError } from '../service.ts';

const CHECKSUMS: Readonly<Record<string, (bytes: Buffer) => string>> = {
  'content-md5': (bytes) => createHash('md5').update(bytes).digest('base64'),
  'x-amz-checksum-crc32': crc32Of,
  'x-amz-checksum-sha1': (bytes) => createHash('sha1').update(bytes).digest('base64'),
  'x-amz-checksum-sha256': (bytes) => createHash('sha256').update(bytes).digest('base64'),
};

function crc32Of(bytes: Buffer): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  return sum.toString('base64');
}

/** The checksums from the request. @throws ServiceError if one does not match the body */
export function verifiedChecksums(
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Readonly<Record<string, string>> {
  const given = Object.entries(CHECKSUMS).filter(([name]) => headers[name] !== undefined);
  for (const [name, sumOf] of given) {
    if (headers[name] === sumOf(body)) continue;
    throw new ServiceError('BadDigest', `The ${name} you specified did not match what we received.`);
  }
  return Object.fromEntries(
    given.filter(([name]) => name !== 'content-md5').map(([name]) => [name, headers[name] ?? '']),
  );
}
