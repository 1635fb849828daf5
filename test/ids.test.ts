import { expect, test } from '@jest/globals';
import { ulid } from 'ulid';
import { FILE_ID } from '../functions/files/file.ts';
import { firstVideoId, newId } from '../functions/ids.ts';
import { VIDEO_ID } from '../functions/videos/video-id.ts';

const NOW = new Date('2026-01-01T00:00:00Z');

test('an id says what kind of thing it names', () => {
  expect(newId.file(NOW)).toMatch(FILE_ID);
  expect(newId.video(NOW)).toMatch(VIDEO_ID);
  expect(newId.event(NOW)).toMatch(/^msg_[0-9a-z]{26}$/);
});

test('ids sort in the order of their creation, even within one millisecond', () => {
  const made = Array.from({ length: 1_000 }, () => newId.video(NOW));
  expect(made.toSorted()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});

test('the id of a video contains its time of creation, to the millisecond', () => {
  const earlier = ulid(NOW.getTime() - 1).toLowerCase();
  const then = ulid(NOW.getTime()).toLowerCase();
  expect(firstVideoId(NOW)).toMatch(VIDEO_ID);
  expect(firstVideoId(NOW) > `vid_${earlier}`).toBe(true);
  expect(firstVideoId(NOW) <= `vid_${then}`).toBe(true);
});
