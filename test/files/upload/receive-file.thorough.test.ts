import { Readable } from 'node:stream';
import { describe, expect, test } from '@jest/globals';
import { LARGEST_BODY } from '../../../functions/files/size-limits.ts';
import { receiveFile } from '../../../functions/files/upload/receive-file.ts';
import { CONTENT_TYPE, formOf, memoryPorts } from './memory-ports.ts';

describe('a body that contains more than the file', () => {
  const padding = (size: number) => {
    const head = `--frontier\r\ncontent-disposition: form-data; name="x"; filename="x"\r\n\r\n`;
    return Buffer.concat([Buffer.from(head), Buffer.alloc(size), Buffer.from('\r\n')]);
  };
  const room = LARGEST_BODY - formOf('words').length - padding(0).length;

  test.each([
    ['passes at the limit', room, undefined],
    ['is refused one byte over it', room + 1, 413],
  ])('%s', async (_, size, status) => {
    const { ports, objects, log } = memoryPorts();
    const form = { body: Readable.from([padding(size), formOf('words')]), contentType: CONTENT_TYPE };
    const received = receiveFile({ ...form, workspaceId: 'w1', conditions: () => ({}), log }, ports);
    if (status === undefined) expect(await received).toMatchObject({ size_bytes: 5 });
    else await expect(received).rejects.toMatchObject({ status });
    expect(objects.size).toBe(status === undefined ? 1 : 0);
  });
});
