import { FILE_ID } from '../../files/file.ts';
import { VIDEO_ID } from '../video-id.ts';
import type { Part } from './earlier-video.ts';

/** Where the bytes of an input are; a job's row spells it as one string. */
export type InputSource =
  | { readonly kind: 'address'; readonly url: string }
  /** An upload of the job's workspace. */
  | { readonly kind: 'file'; readonly id: string }
  /** Of a job of the workspace. */
  | { readonly kind: 'result'; readonly jobId: string; readonly part: Part }
  /** Sent with the request, and stored beside the job's results. */
  | { readonly kind: 'inline'; readonly mediaType: string; readonly key: string };

const INLINE = /^inline:(?<mediaType>[^;]+);(?<key>.+)$/;

export const inlineSource = (mediaType: string, key: string): string => `inline:${mediaType};${key}`;

const LAST_FRAME = '#last';

export const resultSource = (jobId: string, part: Part): string =>
  part === 'video' ? jobId : `${jobId}${LAST_FRAME}`;

export function inputSource(url: string): InputSource {
  if (FILE_ID.test(url)) return { kind: 'file', id: url };
  const jobId = url.endsWith(LAST_FRAME) ? url.slice(0, -LAST_FRAME.length) : url;
  if (VIDEO_ID.test(jobId)) return { kind: 'result', jobId, part: jobId === url ? 'video' : 'last_frame' };
  const { mediaType, key } = INLINE.exec(url)?.groups ?? {};
  if (mediaType !== undefined && key !== undefined) return { kind: 'inline', mediaType, key };
  return { kind: 'address', url };
}
