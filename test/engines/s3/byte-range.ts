import { ServiceError } from '../service.ts';

/** A range of bytes that includes both the first and the last one. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** The part of an object that a `Range` header requests. Undefined if the header can be ignored. */
export function byteRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, start = '', end = ''] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (start === '' && end === '') return undefined;
  const first = start === '' ? Math.max(0, size - Number(end)) : Number(start);
  const last = start === '' || end === '' ? size - 1 : Math.min(Number(end), size - 1);
  if (start !== '' && end !== '' && Number(end) < first) return undefined;
  if (first < size && first <= last) return { first, last };
  throw new ServiceError('InvalidRange', 'The requested range is not satisfiable', 416);
}
