import { FILE_ID } from '../../files/file.ts';

/** Where the bytes of an input are; a job's row spells it as one string. */
export type InputSource =
  | { readonly kind: 'address'; readonly url: string }
  /** An upload of the job's workspace. */
  | { readonly kind: 'file'; readonly id: string }
  /** Sent with the request, and stored beside the job's results. */
  | { readonly kind: 'inline'; readonly mediaType: string; readonly key: string };

const INLINE = /^inline:(?<mediaType>[^;]+);(?<key>.+)$/;

export const inlineSource = (mediaType: string, key: string): string => `inline:${mediaType};${key}`;

export function inputSource(url: string): InputSource {
  if (FILE_ID.test(url)) return { kind: 'file', id: url };
  const { mediaType, key } = INLINE.exec(url)?.groups ?? {};
  if (mediaType !== undefined && key !== undefined) return { kind: 'inline', mediaType, key };
  return { kind: 'address', url };
}
