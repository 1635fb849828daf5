import { type RouteId, routes } from '../../functions/endpoints/definitions.ts';
import { type MAKERS, type Seen, seenIn } from '../histories/exchange.ts';
import { chosen, command, HOSTS, ofOne, ofOneForAny, ofPlace, pick, placeOf } from './commands.ts';
import { MODELS } from './providers.ts';
import type { Scene } from './scene.ts';
import type { Tenant } from './tenants.ts';

/** A submit, as its caller knows it. */
export interface Order {
  readonly tenant: Tenant;
  readonly body: object;
  readonly idempotencyKey: string | undefined;
}

/** A job or file that its tenant knows. */
export interface Known extends Seen {
  readonly tenant: Tenant;
}

/** What answers to this route have shown, each once. */
export function known({ history, tenants }: Scene, maker: (typeof MAKERS)[number]): Known[] {
  const made = history.filter(({ route }) => route === maker);
  const all = made.flatMap((each) =>
    seenIn(each).flatMap((seen) => {
      const tenant = tenants.find(({ id }) => id === each.tenant);
      return tenant === undefined ? [] : { ...seen, tenant };
    }),
  );
  return [...new Map(all.map((each) => [each.id, each])).values()];
}

function askAbout(scene: Scene, route: RouteId, { at, place }: { at: number; place?: number }): unknown {
  const isFile = routes[route].path.includes('{file}');
  const one = chosen(known(scene, isFile ? 'upload-file' : 'submit-video'), at);
  if (one === undefined) return undefined;
  const asker = place === undefined ? one.tenant : scene.tenantIn(place);
  return scene.ask(asker, route, { path: isFile ? { file: one.id } : { video: one.id } });
}

/** Somebody asks about a known job or file: its tenant, or sometimes another one. */
export const about = (
  name: string,
  weight: number,
  route: RouteId,
  draw: typeof ofOne | typeof ofOneForAny = ofOne,
) => command(name, weight, draw, (scene, fields) => askAbout(scene, route, fields));

/** Orders a job. Each order has its number in all that it leads to, and a word that no other tenant writes. */
function order(
  { orders, tenantIn }: Scene,
  { place, model, idempotent, host }: { place: number; model: string; idempotent: boolean; host?: string },
): Order {
  const tenant = tenantIn(place);
  const name = String(orders.length);
  const body = {
    model,
    prompt: `Order ${name} of ${tenant.word}`,
    metadata: { order: name, by: tenant.word },
    ...(host === undefined ? {} : { callback_url: `https://${host}/${tenant.word}` }),
  };
  const made = { tenant, body, idempotencyKey: idempotent ? `order-${name}` : undefined };
  orders.push(made);
  return made;
}

function send(scene: Scene, { tenant, body, idempotencyKey }: Order): unknown {
  return scene.ask(tenant, 'submit-video', {
    body,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  });
}

export const submit = command(
  'submit',
  24,
  (random) => ({
    place: placeOf(random),
    model: pick(random, MODELS),
    idempotent: random() < 0.6,
    ...(random() < 0.7 ? { host: pick(random, HOSTS) } : {}),
  }),
  (scene, fields) => send(scene, order(scene, fields)),
);
export const cancel = about('cancel', 6, 'cancel-video');
export const list = command('list', 3, ofPlace, ({ ask, tenantIn }, { place }) =>
  ask(tenantIn(place), 'list-videos', {}),
);

/** What tenants do about their jobs. */
export const JOBS = [
  submit,
  command('submit again', 8, ofOne, (scene, { at }) => {
    const sent = chosen(scene.orders, at);
    return sent?.idempotencyKey === undefined ? undefined : send(scene, sent);
  }),
  about('get', 10, 'get-video', ofOneForAny),
  cancel,
  about('delete', 2, 'delete-video'),
  about('redeliver', 3, 'redeliver-video-webhook'),
  about('content', 2, 'get-video-content'),
  list,
];

/** Every tenant asks for all that it knows. */
export async function lookAgain(scene: Scene): Promise<void> {
  for (const { id, tenant } of known(scene, 'submit-video'))
    await scene.ask(tenant, 'get-video', { path: { video: id } });
  const files = known(scene, 'upload-file');
  for (const { id, tenant } of files) await scene.ask(tenant, 'get-file', { path: { file: id } });
  for (const tenant of new Set(files.map((file) => file.tenant))) await scene.ask(tenant, 'list-files', {});
}
