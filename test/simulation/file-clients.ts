import { BOUNDARY } from './callers.ts';
import { about } from './clients.ts';
import { command, ofOneForAny, ofPlace, pick, placeOf } from './commands.ts';
import type { Scene } from './scene.ts';

const part = (name: string, content: string): string =>
  `--${BOUNDARY}\r\ncontent-disposition: form-data; ${name}\r\n\r\n${content}\r\n`;

/** The name of a file tells its content, which differs from all others. */
function upload({ ask, tenantIn, now }: Scene, place: number, seconds: number | undefined): unknown {
  const tenant = tenantIn(place);
  const content = `File of ${tenant.word} at ${now()}`;
  const expiry = seconds === undefined ? '' : part('name="expires_in_seconds"', String(seconds));
  const file = part(`name="file"; filename="${content}.txt"`, content);
  return ask(tenant, 'upload-file', { form: `${expiry}${file}--${BOUNDARY}--\r\n` });
}

/** What tenants do about their files. */
export const FILES = [
  command(
    'upload',
    4,
    (random) => ({ place: placeOf(random), seconds: pick(random, [undefined, 20, 900]) }),
    (scene, { place, seconds }) => upload(scene, place, seconds),
  ),
  about('read file', 2, 'get-file', ofOneForAny),
  about('file content', 1, 'get-file-content'),
  command('list files', 1, ofPlace, ({ ask, tenantIn }, { place }) => ask(tenantIn(place), 'list-files', {})),
  about('delete file', 2, 'delete-file'),
];
