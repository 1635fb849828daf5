import { encodeSecret } from '../../functions/webhooks/signature/secret.ts';
import type { Style } from '../../local/terminal/style.ts';
import { visible } from '../../local/terminal/visible.ts';
import { Api, ApiUnavailable } from '../cli/api.ts';
import { DeliveryLog } from './delivery-log.ts';
import { forward } from './forward.ts';
import { deliveryLine, forwardLine } from './lines.ts';
import { type Change, Tail } from './tail.ts';

export interface ListenOptions {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly key: string;
  readonly workspace: string;
  readonly forward: string | undefined;
  readonly json: boolean;
}

export interface ListenPorts {
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  readonly randomBytes: (size: number) => Uint8Array;
  /** Until it is time for the next look; false when there is to be none. */
  readonly nextLook: () => Promise<boolean>;
  /** A line for the user, and an event's body where these are wanted on their own. */
  readonly tell: (line: string) => void;
  readonly emit: (body: string) => void;
  readonly style: Style;
}

const SECRET_BYTES = 32;

/**
 * Until it is told to end. What passes is waited out, but not at the first look.
 *
 * @throws ApiRefused, ApiUnavailable
 */
export async function listen(options: ListenOptions, ports: ListenPorts): Promise<void> {
  const { workspace, baseUrl, key } = options;
  const tail = new Tail(new DeliveryLog(new Api(baseUrl, key, ports.fetch), workspace));
  const secret = ports.randomBytes(SECRET_BYTES);
  await tail.begin();
  ports.tell(ports.style('bold', `Listening to the webhooks of ${workspace}. Ctrl-C ends it.`));
  if (options.forward !== undefined) {
    ports.tell(`Forwarding to ${options.forward}, signed with ${encodeSecret(secret)}`);
  }
  while (await ports.nextLook()) {
    for (const change of await lookPatiently(tail, ports)) await show(change, options, secret, ports);
  }
}

async function lookPatiently(tail: Tail, { tell, style }: ListenPorts): Promise<Change[]> {
  try {
    return await tail.look();
  } catch (error) {
    if (!(error instanceof ApiUnavailable)) throw error;
    tell(style('yellow', visible(`${error.message}; trying again`)));
    return [];
  }
}

async function show(
  { delivery, isNew }: Change,
  options: ListenOptions,
  secret: Uint8Array,
  ports: ListenPorts,
): Promise<void> {
  ports.tell(deliveryLine(delivery, ports.style));
  if (!isNew) return;
  if (options.json) ports.emit(visible(delivery.body));
  if (options.forward === undefined) return;
  const forwarded = await forward(options.forward, delivery, secret, ports);
  ports.tell(forwardLine(options.forward, forwarded, ports.style));
}
