import { encodeTime, monotonicFactory } from 'ulid';

/**
 * Sortable by creation, 80 random bits, lower case. Ids of one function instance increase even within a millisecond.
 */
const ulid = monotonicFactory();

export const newId = {
  file: (now: Date) => `gw_file_${ulid(now.getTime()).toLowerCase()}`,
  upload: (now: Date) => `gw_upload_${ulid(now.getTime()).toLowerCase()}`,
  part: (now: Date) => `gw_part_${ulid(now.getTime()).toLowerCase()}`,
  video: (now: Date) => `vid_${ulid(now.getTime()).toLowerCase()}`,
  approval: (now: Date) => `apr_${ulid(now.getTime()).toLowerCase()}`,
  event: (now: Date) => `msg_${ulid(now.getTime()).toLowerCase()}`,
};

/** Less than the id of any video that was made at this time or later, and greater than those of all earlier ones. */
export const firstVideoId = (at: Date): string =>
  `vid_${encodeTime(Math.max(0, at.getTime())).toLowerCase()}${'0'.repeat(16)}`;
