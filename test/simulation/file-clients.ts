import type { RouteId } from '../../functions/endpoints/definitions.ts';
import { BOUNDARY } from './callers.ts';
import { known } from './clients.ts';
import { chosen, command, nat, ofOne, ofPlace, pick, placeOf } from './commands.ts';
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

function askAboutFile(scene: Scene, route: RouteId, at: number, place?: number): unknown {
  const file = chosen(known(scene, 'upload-file'), at);
  if (file === undefined) return undefined;
  const asker = place === undefined ? file.tenant : scene.tenantIn(place);
  return scene.ask(asker, route, { path: { file: file.id } });
}

/** What tenants do about their files. */
export const FILES = [
  command(
    'upload',
    4,
    (random) => ({ place: placeOf(random), seconds: pick(random, [undefined, 20, 900]) }),
    (scene, { place, seconds }) => upload(scene, place, seconds),
  ),
  command(
    'read file',
    2,
    (random) => ({ at: nat(random), place: random() < 0.2 ? placeOf(random) : undefined }),
    (scene, { at, place }) => askAboutFile(scene, 'get-file', at, place),
  ),
  command('file content', 1, ofOne, (scene, { at }) => askAboutFile(scene, 'get-file-content', at)),
  command('list files', 1, ofPlace, ({ ask, tenantIn }, { place }) => ask(tenantIn(place), 'list-files', {})),
  command('delete file', 2, ofOne, (scene, { at }) => askAboutFile(scene, 'delete-file', at)),
];
