import { ServiceError } from '../service.ts';

/** From the first to the last byte, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** What a Range header asks of so many bytes; undefined where it asks for nothing that we must heed. */
export function byteRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, start = '', end = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (start === '' && end === '') return undefined;
  const first = start === '' ? Math.max(0, size - Number(end)) : Number(start);
  const last = start === '' || end === '' ? size - 1 : Math.min(Number(end), size - 1);
  if (start !== '' && end !== '' && Number(end) < first) return undefined;
  if (first < size && first <= last) return { first, last };
  throw new ServiceError('InvalidRange', 'The requested range is not satisfiable', 416);
}
