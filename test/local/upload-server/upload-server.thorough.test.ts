import { beforeAll, expect, test } from '@jest/globals';
import { prepareImageContext } from '../../../lib/upload-server/image-context.ts';
import { LocalRunError } from '../../../local/system/failure.ts';
import { startUploadServer } from '../../../local/upload-server/upload-server.ts';

// Bundling takes long on a busy machine.
beforeAll(prepareImageContext, 60_000);

const access = {
  endpoint: 'http://127.0.0.1:1',
  region: 'us-east-1',
  credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
};
test('an upload server that does not start causes one sentence, with its output', async () => {
  const failure = await startUploadServer(access, {}, () => undefined).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(LocalRunError);
  expect(failure).toMatchObject({
    message: 'The upload server did not start.',
    output: expect.stringContaining('invalid environment variables: '),
  });
});
