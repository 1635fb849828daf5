import { seededRandom } from '../engines/index.ts';
import { JOBS } from './clients.ts';
import { type Command, pick, type Random } from './commands.ts';
import { crowdOf, type Slowness } from './crowd.ts';
import { FILES } from './file-clients.ts';
import { MANAGEMENT } from './managers.ts';
import { OPERATIONS } from './operators.ts';
import { LEAVING } from './tenancy.ts';

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

const DRAWS = [...JOBS, ...MANAGEMENT, ...FILES, LEAVING, ...OPERATIONS];
const WEIGHT = DRAWS.reduce((sum, { weight }) => sum + weight, 0);

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

function drawCommand(random: Random): Command {
  let place = random() * WEIGHT;
  const drawn = DRAWS.find(({ weight }) => {
    place -= weight;
    return place < 0;
  });
  return (drawn ?? LEAVING).draw(random);
}
