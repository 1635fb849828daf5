import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { InvalidRequest, invalidField, NotFound } from '../../../functions/http/errors.ts';
import { validate } from '../../../functions/http/validation.ts';
import { findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import { misfitOf, withDefaults, yieldsOf } from '../../../functions/videos/catalogue/fit.ts';
import { videoRequestSchema } from '../../../functions/videos/catalogue/video-request.ts';
import { inWrittenWords, openaiRequestSchema } from '../../../functions/videos/dialect/openai-request.ts';
import { videoBody } from '../../http/request-bodies.ts';

const request = { model: 'sandbox/clip-1', prompt: 'A fox' };
const theirs = (fields: object) => validate(openaiRequestSchema, { ...request, ...fields });
const ours = (fields: object) => validate(videoRequestSchema, { ...request, ...fields });

const FILE = 'gw_file_01jg000000000000000000000a';
const frame = (url: string, frame_type = 'first_frame') => ({
  type: 'image_url',
  image_url: { url },
  frame_type,
});

describe("a submit in the dialect of OpenAI's clients", () => {
  test.each<[object, object]>([
    [{}, {}],
    [
      { seconds: '4', size: '1280x720' },
      { duration: 4, size: '1280x720' },
    ],
    [{ seconds: 1 }, { duration: 1 }],
    [{ seconds: '999999' }, { duration: 999_999 }],
    [
      { input_reference: { image_url: 'https://a.example/1.png' } },
      { frame_images: [frame('https://a.example/1.png')] },
    ],
    [
      { input_reference: { image_url: 'data:image/png;base64,AAAA' } },
      { frame_images: [frame('data:image/png;base64,AAAA')] },
    ],
    [{ input_reference: { file_id: FILE } }, { frame_images: [frame(FILE)] }],
    [
      { input_reference: { file_id: FILE }, frame_images: [frame('https://a.example/2.png', 'last_frame')] },
      { frame_images: [frame('https://a.example/2.png', 'last_frame'), frame(FILE)] },
    ],
    [
      { seconds: '4', metadata: { shot: '12' }, seed: 7 },
      { duration: 4, metadata: { shot: '12' }, seed: 7 },
    ],
  ])('%j becomes our %j', (written, meant) => {
    const { size_may_yield: mayYield = false, ...read } = theirs(written);
    expect(read).toEqual(ours(meant));
    expect(mayYield).toBe('input_reference' in written);
  });

  test.each<[object, RegExp]>([
    [{ seconds: '0' }, /^seconds: must be a whole number/],
    [{ seconds: '04' }, /^seconds: must be a whole number/],
    [{ seconds: '1000000' }, /^seconds: must be a whole number/],
    [{ seconds: 1.5 }, /^seconds: must be a whole number/],
    [{ seconds: true }, /^seconds: must be a whole number/],
    [{ seconds: '4', duration: 4 }, /^seconds: cannot be combined with duration/],
    [{ input_reference: 'https://a.example/1.png' }, /^input_reference: must be a file, or have/],
    [{ input_reference: {} }, /^input_reference: must be a file, or have/],
    [
      { input_reference: { image_url: 'https://a.example/1.png', file_id: FILE } },
      /^input_reference: must be a file/,
    ],
    [
      { input_reference: { image_url: 'http://a.example/1.png' } },
      /^input_reference\.image_url: must be an https URL/,
    ],
    [{ input_reference: { file_id: 'file-1' } }, /^input_reference\.file_id: must be the ID of a file/],
    [{ prompt: undefined }, /^prompt: /],
  ])('%j is refused', (written, message) => {
    expect(() => theirs(written)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringMatching(message) }),
    );
  });

  test('with an image and a size is of the image’s shape where the model makes such videos only', () => {
    const input_reference = { image_url: 'https://a.example/1.png' };
    const request = theirs({ input_reference, size: '720x1280' });
    const model = findOffer('kling/3.0-turbo')!;
    expect(misfitOf(request, model)).toBeUndefined();
    expect(withDefaults(request, model)).toMatchObject({ width: 720, height: 1280 });
    expect(yieldsOf(request, model)).toEqual([
      'size: the video has the aspect ratio of the first frame in the request; the aspect ratio of 720x1280 has no effect',
    ]);
    const { size_may_yield: _, ...ours } = request;
    expect(misfitOf(ours, model)).toMatchObject({ path: 'size' });
    expect(misfitOf({ ...request, aspect_ratio: '9:16' }, model)).toMatchObject({ path: 'aspect_ratio' });
    expect(yieldsOf(request, findOffer('sandbox/clip-1')!)).toEqual([]);
    expect(yieldsOf(theirs({ input_reference }), model)).toEqual([]);
    expect(yieldsOf(theirs({ size: '720x1280' }), model)).toEqual([]);
  });

  test('is read like ours if it uses none of OpenAI’s fields', () => {
    fc.assert(
      fc.property(videoBody, (body) => {
        expect(theirs(body)).toEqual(ours(body));
      }),
    );
  });
});

describe('a refusal', () => {
  const written = (fields: object) => Buffer.from(JSON.stringify(fields));
  const duration = invalidField('duration', '99 is not supported', { supported: [1, 2] });

  test.each<[string, object, string]>([
    ['duration', { seconds: '99' }, 'seconds'],
    ['duration', { duration: 99 }, 'duration'],
    ['frame_images', { input_reference: {} }, 'input_reference'],
    ['frame_images', { frame_images: [] }, 'frame_images'],
    ['previous_job_id', { video: { id: 'vid_a' } }, 'video'],
    ['previous_job_id', { previous_job_id: 'vid_a' }, 'previous_job_id'],
    ['size', { seconds: '4' }, 'size'],
  ])('of %s in %j names %s', (ours, fields, path) => {
    const told = inWrittenWords(invalidField(ours, `omit ${ours}`), written(fields));
    expect(told).toBeInstanceOf(InvalidRequest);
    expect(told).toMatchObject({ message: `${path}: omit ${path}`, metadata: { path } });
  });

  test('keeps the expected values, and the cause', () => {
    const told = inWrittenWords(duration, written({ seconds: '99' }));
    expect(told).toMatchObject({ metadata: { supported: [1, 2] }, cause: duration });
  });

  test('of another kind stays as it is', () => {
    const error = new NotFound('no such model', { metadata: { path: 'duration' } });
    expect(inWrittenWords(error, written({ seconds: '99' }))).toBe(error);
    // A body that could not be parsed has no field names to replace.
    const unread = new InvalidRequest('The body must be one JSON object');
    expect(inWrittenWords(unread, Buffer.from('{'))).toBe(unread);
  });
});
