import { seededRandom } from '../engines/index.ts';
import { crowdOf, type Slowness } from './crowd.ts';
import { NAME_RULES, RESETS } from './guardrails.ts';
import { MODELS } from './providers.ts';
import { KEY_USES } from './stored-keys.ts';
import { PROVIDER_MOODS, RECEIVER_MOODS } from './weather.ts';

export const TENANTS = 3;
export const HOSTS = ['hooks.one.com', 'hooks.two.com'] as const;

type Random = () => number;

const pick = <const T>(random: Random, from: readonly [T, ...T[]]): T =>
  from[Math.floor(random() * from.length)] ?? from[0];
const nat = (random: Random): number => Math.floor(random() * 2 ** 31);
const tenant = (random: Random): number => Math.floor(random() * TENANTS);

/** A command about one of the jobs or files that exist then. It is drawn before their number is known. */
const ofOne =
  <const Name extends string>(name: Name) =>
  (random: Random) => ({ do: name, at: nat(random) });
const ofTenant =
  <const Name extends string>(name: Name) =>
  (random: Random) => ({ do: name, tenant: tenant(random) });
const plain =
  <const Name extends string>(name: Name) =>
  () => ({ do: name });
const drawn =
  <const Name extends string, Fields extends object>(name: Name, draw: (random: Random) => Fields) =>
  (random: Random) => ({ do: name, ...draw(random) });

const NAMED_PROVIDERS = ['sandbox', 'fal', 'kling', 'replicate', 'fal/kling-3.0-standard'] as const;
const SERVICES = [undefined, undefined, 'dynamodb', 's3', 'sqs', 'kms'] as const;
/** Of accounts, reports and webhook settings. */
const HOT_KEYS = [undefined, 'credits', 'workspace#', 'key#', 'activity#', 'workspace_id'] as const;

/** Commands of callers, of operators and of the environment, and the weight of each in the draw. */
const DRAWS = [
  [
    24,
    drawn('submit', (random) => ({
      tenant: tenant(random),
      model: pick(random, MODELS),
      idempotent: random() < 0.6,
      host: random() < 0.7 ? pick(random, HOSTS) : undefined,
    })),
  ],
  [8, ofOne('submit again')],
  [10, drawn('get', (random) => ({ at: nat(random), tenant: random() < 0.2 ? tenant(random) : undefined }))],
  [6, ofOne('cancel')],
  [2, ofOne('delete')],
  [3, ofOne('redeliver')],
  [2, ofOne('content')],
  [3, ofTenant('list')],
  [1, ofTenant('recover')],
  [
    3,
    drawn('rotate secret', (random) => ({ tenant: tenant(random), hours: pick(random, [1, 24, 24, 168]) })),
  ],
  [1, ofTenant('drop default address')],
  [
    3,
    drawn('budget', (random) => ({
      tenant: tenant(random),
      interval: pick(random, ['daily', 'weekly', 'monthly', 'lifetime']),
      byok: random() < 0.5,
      usd: Math.floor(300 * random()) / 100,
    })),
  ],
  [
    2,
    drawn('guardrail', (random) => {
      const names = random() < 0.4 ? pick(random, NAME_RULES) : undefined;
      const known = names?.endsWith('models') ? MODELS : NAMED_PROVIDERS;
      const list = known.filter(() => random() < (names?.startsWith('allowed') ? 0.7 : 0.3));
      return {
        tenant: tenant(random),
        names,
        list: list.length > 0 ? list : [known[0]],
        usd: random() < 0.4 ? null : Math.floor(300 * random()) / 100 + 0.01,
        reset: pick(random, RESETS),
        byok: random() < 0.5,
      };
    }),
  ],
  [
    2,
    drawn('store provider key', (random) => ({
      /** By default whoever runs the stage. */
      tenant: random() < 0.7 ? tenant(random) : undefined,
      provider: pick(random, ['fal', 'replicate', 'kling']),
      use: pick(random, KEY_USES),
    })),
  ],
  [
    3,
    drawn('change provider key', (random) => ({
      at: nat(random),
      how: pick(random, ['replace', 'replace', 'disable', 'enable', 'delete']),
    })),
  ],
  [1, drawn('credits', (random) => ({ usd: Math.floor(300 * random()) / 100 + 0.01 }))],
  [1, drawn('disable key', (random) => ({ tenant: tenant(random), disabled: random() < 0.5 }))],
  [1, drawn('replace key', (random) => ({ tenant: tenant(random), expires: random() < 0.4 }))],
  [4, drawn('upload', (random) => ({ tenant: tenant(random), seconds: pick(random, [undefined, 20, 900]) }))],
  [
    2,
    drawn('read file', (random) => ({
      at: nat(random),
      tenant: random() < 0.2 ? tenant(random) : undefined,
    })),
  ],
  [1, ofOne('file content')],
  [1, ofTenant('list files')],
  [2, ofOne('delete file')],
  [2, drawn('delete workspace', (random) => ({ tenant: tenant(random), closes: random() < 0.9 }))],
  [2, plain('sweep')],
  [1, plain('reconcile')],
  [2, plain('lose machines')],
  [2, plain('deploy')],
  [1, plain('redrive')],
  [1, plain('expire rows')],
  [2, drawn('forged message', (random) => ({ at: nat(random), how: nat(random) }))],
  [7, drawn('faults', (random) => ({ rate: pick(random, [0, 0.01, 0.03, 0.1, 0.3]) }))],
  [2, drawn('outage', (random) => ({ of: pick(random, SERVICES) }))],
  [1, drawn('hot key', (random) => ({ of: pick(random, HOT_KEYS) }))],
  [1, drawn('late messages', (random) => ({ seconds: pick(random, [0, 0, 10, 90]) }))],
  [2, drawn('wrong clocks', (random) => ({ rate: pick(random, [0, 0, 0.2]) }))],
  [4, drawn('provider', (random) => ({ mood: pick(random, ['well', ...PROVIDER_MOODS]) }))],
  [
    4,
    drawn('receiver', (random) => ({
      host: pick(random, HOSTS),
      mood: pick(random, ['well', ...RECEIVER_MOODS]),
    })),
  ],
] as const;

export type Command = Readonly<ReturnType<(typeof DRAWS)[number][1]>>;

export type TimedCommand = Command & {
  /** Milliseconds after the previous command. */
  readonly after: number;
};

export interface History {
  readonly seed: number;
  /** What is slow for the crowd, in a history that has one. */
  readonly slow?: Slowness;
  readonly commands: readonly TimedCommand[];
}

/** One of the things that exist, for the number in a command. */
export const chosen = <T>(from: readonly T[], at: number): T | undefined =>
  from[at % Math.max(1, from.length)];

const WEIGHT = DRAWS.reduce((sum, [weight]) => sum + weight, 0);

/** The pauses between commands: often none or seconds, sometimes minutes, rarely hours. */
const GAPS = [0, 0, 200, 2_000, 2_000, 15_000, 15_000, 60_000, 300_000, 3_600_000] as const;

export function drawHistory(seed: number): History {
  const crowd = crowdOf(seed);
  if (crowd !== undefined) return crowd;
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
