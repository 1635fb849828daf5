import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseJsonBody } from '../../../functions/http/json-body.ts';
import { isForm, jsonOfForm } from '../../../functions/videos/dialect/openai-submit.ts';
import { videoBody } from '../../http/request-bodies.ts';

type Field = readonly [name: string, value: string | Blob];

/** The body that the API reads from a form. The form is written by Node.js's own `FormData`. */
async function read(fields: readonly Field[]): Promise<Record<string, unknown>> {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const sent = new Response(form);
  const json = jsonOfForm(new Uint8Array(await sent.arrayBuffer()), sent.headers.get('content-type') ?? '');
  return parseJsonBody(json, 'application/json', json.length);
}

const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]);
const file = (bytes: Uint8Array<ArrayBuffer>) => new File([bytes], 'fox.png', { type: 'image/png' });
const inline = { image_url: `data:image/unknown;base64,${image.toString('base64')}` };

describe('a form', () => {
  test.each<[Field[], Record<string, unknown>]>([
    [
      [
        ['prompt', 'A fox'],
        ['seconds', '4'],
      ],
      { prompt: 'A fox', seconds: '4' },
    ],
    [[['prompt', '']], { prompt: '' }],
    [[['prompt', '7']], { prompt: '7' }],
    [
      [
        ['seed', '7'],
        ['generate_audio', 'true'],
      ],
      { seed: 7, generate_audio: true },
    ],
    [[['input_reference', file(image)]], { input_reference: inline }],
    [[['input_reference', 'https://a.example/1.png']], { input_reference: 'https://a.example/1.png' }],
    [
      [['input_reference[image_url]', 'https://a.example/1.png']],
      { input_reference: { image_url: 'https://a.example/1.png' } },
    ],
    [
      [
        ['metadata[shot]', '12'],
        ['prompt', 'x'],
        ['metadata[é]', ''],
      ],
      { metadata: { shot: '12', é: '' }, prompt: 'x' },
    ],
    [[['metadata', '{"shot":"12"}']], { metadata: { shot: '12' } }],
    [[['trace', '{"trace_id":"a","take":2}']], { trace: { trace_id: 'a', take: 2 } }],
    [
      [
        ['a[b][c]', 'x'],
        ['[d]', 'x'],
        ['e[]', 'x'],
      ],
      { 'a[b][c]': 'x', '[d]': 'x', 'e[]': 'x' },
    ],
    [
      [
        ['__proto__[a]', 'x'],
        ['constructor[prototype]', 'x'],
      ],
      { constructor: { prototype: 'x' } },
    ],
    [
      Array.from({ length: 64 }, (_, i) => [`f${i}`, 'x'] as const),
      Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`f${i}`, 'x'])),
    ],
  ])('of %j is %j', async (fields, expected) => {
    expect(await read(fields)).toEqual(expected);
  });

  test.each<[Field[], RegExp]>([
    [
      [
        ['prompt', 'a'],
        ['prompt', 'b'],
      ],
      /prompt/,
    ],
    [
      [
        ['input_reference', file(image)],
        ['input_reference[file_id]', 'x'],
      ],
      /input_reference/,
    ],
    [
      [
        ['metadata[a]', 'x'],
        ['metadata[a]', 'y'],
      ],
      /metadata\.a/,
    ],
    [[['seed', 'seven']], /^seed: must be JSON/],
    [[['provider', '{"options":']], /^provider: must be JSON/],
    [[['provider', '['.repeat(33)]], /nested|deep/i],
    [[['prompt', file(image)]], /^prompt: must be text in UTF-8/],
    [[['input_reference', file(Buffer.alloc(0))]], /^input_reference: the file is empty/],
    [Array.from({ length: 65 }, (_, i) => [`f${i}`, 'x'] as const), /more than 64 parts/],
    [[['f'.repeat(257), 'x']], /name of a part has more than 256 characters/],
  ])('of %j is refused', async (fields, message) => {
    await expect(read(fields)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(message),
    });
  });

  test('may not have a text of control characters that is longer than any prompt', async () => {
    const longest = '\t'.repeat(128_000);
    expect(await read([['prompt', longest]])).toEqual({ prompt: longest });
    const address = `data:image/png;base64,${'A'.repeat(128_000)}`;
    expect(await read([['input_reference[image_url]', address]])).toEqual({
      input_reference: { image_url: address },
    });
    for (const text of [`${longest}x`, `${address}\0`]) {
      await expect(read([['prompt', text]])).rejects.toThrow(
        'prompt: must have at most 128000 bytes if it contains control characters',
      );
    }
  });

  test('that is cut off, or has no boundary, is refused', () => {
    const body = Buffer.from('--b\r\ncontent-disposition: form-data; name=prompt\r\n\r\nA fox\r\n--b--');
    expect(JSON.parse(jsonOfForm(body, 'multipart/form-data; boundary=b').toString())).toEqual({
      prompt: 'A fox',
    });
    expect(() => jsonOfForm(body.subarray(0, -2), 'multipart/form-data; boundary=b')).toThrow(
      /closing delimiter/,
    );
    expect(() => jsonOfForm(body, 'multipart/form-data')).toThrow(/boundary/);
  });

  test('means what the same fields mean in JSON', async () => {
    await fc.assert(
      fc.asyncProperty(videoBody, async (body) => {
        // Browsers change every line break in a text to CRLF.
        fc.pre(!/[\r\n]/.test(`${body.prompt}`));
        const fields = Object.entries(body).map(
          ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
        );
        expect(await read(fields)).toEqual(JSON.parse(JSON.stringify(body)));
      }),
    );
  });

  test('has the same bytes of JSON whatever its boundary is', async () => {
    await fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9'()+_,./:=?-]{1,70}$/), (boundary) => {
        const part = `content-disposition: form-data; name="prompt"\r\n\r\nA fox`;
        const body = Buffer.from(`--${boundary}\r\n${part}\r\n--${boundary}--\r\n`);
        const json = jsonOfForm(body, `multipart/form-data; boundary="${boundary}"`);
        expect(json.toString()).toBe('{"prompt":"A fox"}');
      }),
    );
  });
});

test.each([
  ['multipart/form-data; boundary=b', true],
  ['Multipart/Form-Data;boundary=b', true],
  ['multipart/form-data', true],
  ['multipart/form-data-x', false],
  ['multipart/mixed; boundary=b', false],
  ['application/json', false],
  [undefined, false],
])('%s is a form: %s', (type, expected) => {
  expect(isForm(type)).toBe(expected);
});
