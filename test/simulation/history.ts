import { seededRandom } from '../engines/index.ts';
import { JOBS, submit } from './clients.ts';
import { type Command, pick, placeOf, type Random } from './commands.ts';
import { crowdOf, type Slowness } from './crowd.ts';
import { FILES } from './file-clients.ts';
import { MANAGEMENT } from './managers.ts';
import { LOST_CALLS, OPERATIONS } from './operators.ts';
import { LEAVING } from './tenancy.ts';
import { FORGED_CALL } from './vendor-calls.ts';

export type TimedCommand = Command & {
  /** Milliseconds after the previous command. */
  readonly after: number;
};

export interface History {
  readonly seed: number;
  /** What is slow for the crowd, in a history that has one. */
  readonly slow?: Slowness;
  /** Whether nothing fails in it but the calls of providers. */
  readonly isCalled?: true;
  readonly commands: readonly TimedCommand[];
}

const DRAWS = [...JOBS, ...MANAGEMENT, ...FILES, LEAVING, ...OPERATIONS];
const WEIGHT = DRAWS.reduce((sum, { weight }) => sum + weight, 0);

/** The pauses between commands: often none or seconds, sometimes minutes, rarely hours. */
const GAPS = [0, 0, 200, 2_000, 2_000, 15_000, 15_000, 60_000, 300_000, 3_600_000] as const;

export function drawHistory(seed: number): History {
  const crowd = crowdOf(seed) ?? calledOf(seed);
  if (crowd !== undefined) return crowd;
  const random = seededRandom(seed);
  const longest = random() < 0.1 ? 200 : 50;
  const commands = Array.from({ length: 5 + Math.floor(random() * (longest - 5)) }, (): TimedCommand => {
    const after = Math.floor(pick(random, GAPS) * random());
    return { after, ...drawCommand(random) };
  });
  return { seed, commands };
}

/** A few histories show how late ends are noticed, while the calls of a provider come, stop and come again. */
function calledOf(seed: number): History | undefined {
  const random = seededRandom(seed ^ 0xca11ed);
  if (random() >= 0.04) return undefined;
  const job = { model: 'bytedance/seedance-1.5-pro', idempotent: false } as const;
  const ordered = (): TimedCommand[] => [
    { after: Math.floor(60_000 * random()), ...submit.of({ place: placeOf(random), ...job }) },
    ...(random() < 0.2 ? [{ after: Math.floor(60_000 * random()), ...FORGED_CALL.draw(random) }] : []),
  ];
  const lost = (lostCalls: number): TimedCommand => ({ after: 0, ...LOST_CALLS.of({ lostCalls }) });
  const orders = (count: number) => Array.from({ length: count }, ordered).flat();
  const commands = [lost(0.2), ...orders(8), lost(1), ...orders(24), lost(0), ...orders(4)];
  return { seed, isCalled: true, commands };
}

function drawCommand(random: Random): Command {
  let place = random() * WEIGHT;
  const drawn = DRAWS.find(({ weight }) => {
    place -= weight;
    return place < 0;
  });
  return (drawn ?? LEAVING).draw(random);
}
