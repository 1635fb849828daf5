import { describe, expect, test } from '@jest/globals';
import { createEgress } from '../../../functions/egress/egress-fetch.ts';
import { WorkspaceInputs } from '../../../functions/videos/inputs/provider-inputs.ts';
import { aJob } from '../jobs/job-fixture.ts';
import { type Answer, START, WireServer } from '../providers/wire-server.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');
const FILE = 'gw_file_01jg000000000000000000000a';
const INLINE = 'inline:image/png;ws-1/vid_1/frame-0';
const answer =
  (status: number, body: Uint8Array | string): Answer =>
  (response) =>
    response.writeHead(status).end(body);

const CLIP = 'vid_01jg000000000000000000000c';
const YOUNG = 'vid_01jg000000000000000000000d';
const YOUNG_JOB = aJob({
  id: YOUNG,
  status: 'completed',
  outputs: [{ key: 'kept-1d/0.mp4', size_bytes: 1, sha256: '' }],
  completed_at: START.toISOString(),
  kept_days: 1,
});
const CLIP_JOB = { ...YOUNG_JOB, id: CLIP, stills: [{ last_frame: 'kept-1d/0.last.jpg' }] };

function inputsOf(workspaceId = 'ws-1', broken = false, addressMilliseconds = 30_000) {
  return new WorkspaceInputs(workspaceId, {
    fetch: createEgress({ allowed: new Set(['127.0.0.1']), deadlineMilliseconds: 30_000 }),
    files: {
      find: async (workspace, id) => {
        if (broken) throw new Error('DynamoDB is throttled');
        if (workspace !== 'ws-1' || id !== FILE) return undefined;
        const row = {
          id,
          workspace_id: workspace,
          filename: 'f',
          size_bytes: 1,
          purpose: 'p',
          created_at: '',
        };
        return { ...row, mime_type: 'image/png' };
      },
    },
    objects: {
      open: async ({ bucket, key }) =>
        new Response(Buffer.concat([PNG, Buffer.from(`${bucket}/${key}`)])).body!,
    },
    linkTo: async ({ bucket, key }, mediaType, now) =>
      `https://${bucket}/${key}?${mediaType}&${now.getTime()}`,
    filesBucket: 'files',
    resultsBucket: 'inline',
    jobs: { look: async (id) => [CLIP_JOB, YOUNG_JOB].find((job) => job.id === id) },
    addressMilliseconds,
    now: () => START,
  });
}

describe('the link to an input', () => {
  test.each([
    ['https://cdn.acme.com/1.png', 'https://cdn.acme.com/1.png'],
    [FILE, `https://files/ws-1/${FILE}?image/png&${START.getTime()}`],
    [CLIP, `https://inline/kept-1d/0.mp4?video/mp4&${START.getTime()}`],
    [`${CLIP}#last`, `https://inline/kept-1d/0.last.jpg?image/jpeg&${START.getTime()}`],
    [INLINE, `https://inline/ws-1/vid_1/frame-0?image/png&${START.getTime()}`],
  ])('%s', async (url, link) => expect(await inputsOf().link(url)).toBe(link));
});

test('a picture that is being made is waited for; a video that is gone is refused', async () => {
  await expect(inputsOf().link(`${YOUNG}#last`)).rejects.toMatchObject({
    kind: 'unavailable',
    isOfInput: true,
  });
  await expect(inputsOf('ws-2').link(CLIP)).rejects.toMatchObject({
    kind: 'refused',
    message: `An input cannot be used: ${CLIP} does not exist in this workspace`,
  });
});

describe('the bytes of an input', () => {
  test('come from our buckets, with their type', async () => {
    const file = await inputsOf().read(FILE);
    expect(file.mediaType).toBe('image/png');
    expect(String(file.bytes)).toContain(`files/ws-1/${FILE}`);
    expect(String((await inputsOf().read(INLINE)).bytes)).toContain('inline/ws-1/vid_1/frame-0');
  });

  test('come from addresses up to 16 MiB', async () => {
    await using server = await WireServer.open();
    const largest = Buffer.concat([PNG, Buffer.alloc(16 * 1024 ** 2 - PNG.length)]);
    server.on('GET /1', answer(200, largest));
    server.on('GET /2', answer(200, Buffer.concat([largest, Buffer.alloc(1)])));
    expect((await inputsOf().read(`${server.origin}/1`)).bytes).toHaveLength(16 * 1024 ** 2);
    await expect(inputsOf().read(`${server.origin}/2`)).rejects.toMatchObject({
      kind: 'refused',
      message: 'An input cannot be used: it is larger than 16 MiB',
    });
  });

  test('come up to 16 MiB for all inputs of a job, read in parallel or one after the other', async () => {
    await using server = await WireServer.open();
    const half = Buffer.concat([PNG, Buffer.alloc(8 * 1024 ** 2 - PNG.length)]);
    server.on('GET /half', answer(200, half));
    server.on('GET /small', answer(200, PNG));
    const read = (inputs: WorkspaceInputs, name: string) => inputs.read(`${server.origin}/${name}`);
    const tooMuch = {
      kind: 'refused',
      message: 'An input cannot be used: the inputs exceed 16 MiB in total',
    };
    const inputs = inputsOf();
    await Promise.all([read(inputs, 'half'), read(inputs, 'half')]);
    await expect(read(inputs, 'small')).rejects.toMatchObject(tooMuch);
    const others = inputsOf();
    const reads = ['half', 'half', 'half'].map((name) => read(others, name));
    await expect(Promise.all(reads)).rejects.toMatchObject(tooMuch);
    await Promise.allSettled(reads);
  });

  test.each<[string, Answer, RegExp]>([
    ['a 404', answer(404, 'no'), /the URL at 127\.0\.0\.1:\d+ returned the HTTP status 404/],
    [
      'a redirect',
      (response) => response.writeHead(302, { location: '/2' }).end(),
      /returned the HTTP status 302/,
    ],
    ['HTML', answer(200, '<!doctype html>'), /not recognized as an image, an audio clip or a video/],
    ['nothing', answer(200, ''), /not recognized as an image/],
    ['a reset', (response) => response.destroy(), /the file at 127\.0\.0\.1:\d+ could not be downloaded/],
  ])('are refused when an address answers with %s', async (_, reply, message) => {
    await using server = await WireServer.open();
    server.on('GET /1', reply);
    const read = inputsOf().read(`${server.origin}/1`);
    await expect(read).rejects.toMatchObject({ kind: 'refused', message: expect.stringMatching(message) });
  });

  test('are refused when the addresses of a job together take too long', async () => {
    await using server = await WireServer.open();
    server.on('GET /1', answer(200, PNG));
    server.on('GET /slow', (response) => response.writeHead(200).write(PNG));
    const inputs = inputsOf('ws-1', false, 100);
    const tooSlow = {
      kind: 'refused',
      isOfInput: true,
      message: 'An input cannot be used: the inputs could not be downloaded from their URLs within 0.1 s',
    };
    await expect(inputs.read(`${server.origin}/slow`)).rejects.toMatchObject(tooSlow);
    await expect(inputs.read(`${server.origin}/1`)).rejects.toMatchObject(tooSlow);
    expect((await inputs.read(FILE)).mediaType).toBe('image/png');
  });

  test('are not read from a private address', async () => {
    await expect(inputsOf().read('https://10.0.0.1/1.png')).rejects.toMatchObject({ kind: 'refused' });
  });

  test('of a file that is gone, or of another workspace, are refused', async () => {
    const gone = {
      kind: 'refused',
      message: `An input cannot be used: the file ${FILE} has been deleted or has expired`,
    };
    await expect(inputsOf('ws-2').read(FILE)).rejects.toMatchObject(gone);
    await expect(inputsOf('ws-2').link(FILE)).rejects.toMatchObject(gone);
  });

  test('that fail on our side can be retried', async () => {
    await expect(inputsOf('ws-1', true).read(FILE)).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
