import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { namedVideoSchema, submitOf } from '../../../functions/videos/dialect/openai-continuation.ts';

const ID = 'vid_01jg000000000000000000000a';
const source = { id: ID, model: 'sandbox/clip-1', workspace_id: 'ws' };

test('an edit is a submit that names the video, on its model', () => {
  expect(submitOf({ prompt: 'Two', video: { id: 'vid_other' } }, source, 'edit')).toEqual({
    model: 'sandbox/clip-1',
    prompt: 'Two',
    previous_job_id: ID,
    continuation: 'edit',
    workspace_id: 'ws',
  });
});

test('a body may name another model, but neither another video nor another workspace', () => {
  const body = { model: 'xai/video', previous_job_id: 'vid_b', continuation: 'edit', workspace_id: 'b' };
  expect(submitOf(body, source, 'extend')).toEqual({
    model: 'xai/video',
    previous_job_id: ID,
    continuation: 'extend',
    workspace_id: 'ws',
  });
});

test.each([{}, { video: 'PNG' }, { video: {} }, { video: { id: 'file_1' } }])('%j names no video', (body) => {
  expect(v.is(namedVideoSchema, body)).toBe(false);
});
