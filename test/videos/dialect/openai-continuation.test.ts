import { expect, test } from '@jest/globals';
import * as v from 'valibot';
import { namedVideoSchema, submitOf } from '../../../functions/videos/dialect/openai-continuation.ts';

const ID = 'vid_01jg000000000000000000000a';
const source = { id: ID, model: 'sandbox/clip-1', workspace_id: 'ws' };

function submitted(body: Record<string, unknown>, named: Parameters<typeof submitOf>[2]) {
  const warnings: string[] = [];
  return { submit: submitOf(body, source, named, (warning) => warnings.push(warning)), warnings };
}
const edit = { continuation: 'edit', byPath: false } as const;

test('an edit is a submit that names the video, on its model and in its workspace', () => {
  const written = { prompt: 'Two', model: null, workspace_id: null, video: { id: ID } };
  expect(submitted(written, edit)).toEqual({
    submit: {
      model: 'sandbox/clip-1',
      prompt: 'Two',
      previous_job_id: ID,
      continuation: 'edit',
      workspace_id: 'ws',
    },
    warnings: [],
  });
});

test('a body may name another model, and a workspace that the submit then refuses', () => {
  const { submit } = submitted({ model: 'xai/video', workspace_id: 'b', video: { id: ID } }, edit);
  expect(submit).toMatchObject({ model: 'xai/video', workspace_id: 'b' });
});

test.each([
  ['previous_job_id', { previous_job_id: 'vid_b' }, edit],
  ['continuation', { continuation: 'extend' }, edit],
  ['video.index', { video: { id: ID, index: 1 } }, edit],
  ['video', { video: { id: 'vid_b' } }, { continuation: 'edit', byPath: true } as const],
])('%s has no effect, and is told so', (name, body, named) => {
  const { submit, warnings } = submitted(body, named);
  expect(submit).toMatchObject({ previous_job_id: ID, continuation: 'edit' });
  expect(warnings).toEqual([expect.stringContaining(`${name} is not a field of this operation`)]);
});

test.each([{}, { video: 'PNG' }, { video: {} }, { video: { id: 'file_1' } }])('%j names no video', (body) => {
  expect(v.is(namedVideoSchema, body)).toBe(false);
});
