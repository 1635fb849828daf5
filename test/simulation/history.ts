import { seededRandom } from '../engines/index.ts';
import { MODELS } from './providers.ts';
import { PROVIDER_MOODS, type ProviderMood, RECEIVER_MOODS, type ReceiverMood } from './weather.ts';

export const TENANTS = 3;
export const HOSTS = ['hooks.one.com', 'hooks.two.com'] as const;

/** Commands of callers, of operators and of the environment. `at` chooses among the things that exist then. */
export type Command =
  | {
      readonly do: 'submit';
      readonly tenant: number;
      readonly model: string;
      readonly idempotent: boolean;
      readonly host: string | undefined;
    }
  | { readonly do: 'submit again' | 'cancel' | 'delete' | 'redeliver' | 'content'; readonly at: number }
  | { readonly do: 'get'; readonly at: number; readonly tenant: number | undefined }
  | { readonly do: 'list' | 'recover' | 'rotate secret' | 'drop default address'; readonly tenant: number }
  | { readonly do: 'budget'; readonly tenant: number; readonly interval: string; readonly usd: number }
  | { readonly do: 'credits'; readonly usd: number }
  | { readonly do: 'disable key'; readonly tenant: number; readonly disabled: boolean }
  | { readonly do: 'sweep' | 'reconcile' | 'lose machines' | 'deploy' | 'redrive' | 'expire rows' }
  | { readonly do: 'forged message'; readonly at: number; readonly how: number }
  | { readonly do: 'faults'; readonly rate: number }
  | { readonly do: 'outage'; readonly of: 'dynamodb' | 's3' | 'sqs' | 'kms' | undefined }
  | { readonly do: 'wrong clocks'; readonly rate: number }
  | { readonly do: 'provider'; readonly mood: ProviderMood }
  | { readonly do: 'receiver'; readonly host: string; readonly mood: ReceiverMood };

export type TimedCommand = Command & {
  /** Milliseconds after the previous command. */
  readonly after: number;
};

export interface History {
  readonly seed: number;
  readonly commands: readonly TimedCommand[];
}

type Draw = (random: () => number) => Command;

const pick = <T>(random: () => number, from: readonly [T, ...T[]]): T =>
  from[Math.floor(random() * from.length)] ?? from[0];
const nat = (random: () => number): number => Math.floor(random() * 2 ** 31);
const tenant = (random: () => number): number => Math.floor(random() * TENANTS);

const ofJob =
  (name: 'submit again' | 'cancel' | 'delete' | 'redeliver' | 'content'): Draw =>
  (random) => ({ do: name, at: nat(random) });
const ofTenant =
  (name: 'list' | 'recover' | 'rotate secret' | 'drop default address'): Draw =>
  (random) => ({ do: name, tenant: tenant(random) });
const plain =
  (name: 'sweep' | 'reconcile' | 'lose machines' | 'deploy' | 'redrive' | 'expire rows'): Draw =>
  () => ({ do: name });

const SERVICES = [undefined, undefined, 'dynamodb', 's3', 'sqs', 'kms'] as const;

/** The weight of each command in the draw. */
const DRAWS: readonly (readonly [number, Draw])[] = [
  [
    24,
    (random) => ({
      do: 'submit',
      tenant: tenant(random),
      model: pick(random, MODELS),
      idempotent: random() < 0.6,
      host: random() < 0.7 ? pick(random, HOSTS) : undefined,
    }),
  ],
  [8, ofJob('submit again')],
  [10, (random) => ({ do: 'get', at: nat(random), tenant: random() < 0.2 ? tenant(random) : undefined })],
  [6, ofJob('cancel')],
  [2, ofJob('delete')],
  [3, ofJob('redeliver')],
  [2, ofJob('content')],
  [3, ofTenant('list')],
  [1, ofTenant('recover')],
  [1, ofTenant('rotate secret')],
  [1, ofTenant('drop default address')],
  [
    3,
    (random) => ({
      do: 'budget',
      tenant: tenant(random),
      interval: pick(random, ['daily', 'weekly', 'monthly', 'lifetime']),
      usd: Math.floor(300 * random()) / 100,
    }),
  ],
  [1, (random) => ({ do: 'credits', usd: Math.floor(300 * random()) / 100 + 0.01 })],
  [1, (random) => ({ do: 'disable key', tenant: tenant(random), disabled: random() < 0.5 })],
  [2, plain('sweep')],
  [1, plain('reconcile')],
  [2, plain('lose machines')],
  [2, plain('deploy')],
  [1, plain('redrive')],
  [1, plain('expire rows')],
  [2, (random) => ({ do: 'forged message', at: nat(random), how: nat(random) })],
  [7, (random) => ({ do: 'faults', rate: pick(random, [0, 0.01, 0.03, 0.1, 0.3]) })],
  [2, (random) => ({ do: 'outage', of: pick(random, SERVICES) })],
  [2, (random) => ({ do: 'wrong clocks', rate: pick(random, [0, 0, 0.2]) })],
  [4, (random) => ({ do: 'provider', mood: pick(random, ['well', ...PROVIDER_MOODS]) })],
  [
    4,
    (random) => ({
      do: 'receiver',
      host: pick(random, HOSTS),
      mood: pick(random, ['well', ...RECEIVER_MOODS]),
    }),
  ],
];

const WEIGHT = DRAWS.reduce((sum, [weight]) => sum + weight, 0);

/** The pauses between commands: often none or seconds, sometimes minutes, rarely hours. */
const GAPS = [0, 0, 200, 2_000, 2_000, 15_000, 15_000, 60_000, 300_000, 3_600_000] as const;

export function drawHistory(seed: number): History {
  const random = seededRandom(seed);
  const longest = random() < 0.1 ? 200 : 50;
  const commands = Array.from({ length: 5 + Math.floor(random() * (longest - 5)) }, (): TimedCommand => {
    const after = Math.floor(pick(random, GAPS) * random());
    return { after, ...drawCommand(random) };
  });
  return { seed, commands };
}

function drawCommand(random: () => number): Command {
  let place = random() * WEIGHT;
  for (const [weight, draw] of DRAWS) {
    place -= weight;
    if (place < 0) return draw(random);
  }
  return { do: 'sweep' };
}
