import { encodeSecret } from '../../functions/webhooks/signature.ts';
import { type Style, visible } from '../../local/terminal/text.ts';
import { Api, ApiUnavailable } from '../cli/api.ts';
import { DeliveryLog } from './delivery-log.ts';
import { forward } from './forward.ts';
import { deliveryLine, forwardLine } from './lines.ts';
import { type Change, Tail } from './tail.ts';

export interface ListenOptions {
  /** Without a trailing slash. */
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
  /** Resolves when it is time for the next look; to false when there should be none. */
  readonly nextLook: () => Promise<boolean>;
  /** `tell` gets lines for the user; `emit` gets the bodies of events, if the options ask for them. */
  readonly tell: (line: string) => void;
  readonly emit: (body: string) => void;
  readonly style: Style;
}

const SECRET_BYTES = 32;

/**
 * Runs until it is told to stop. Waits and retries after a temporary error, except at the first look.
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
    tell(style('yellow', visible(`${error.message}; retrying`)));
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
