import { type Call, type Fault, type FaultPlan, faultsOf } from '../engines/index.ts';

export const PROVIDER_MOODS = ['well', 'down', 'rate limited', 'losing answers', 'hanging'] as const;
export type ProviderMood = (typeof PROVIDER_MOODS)[number];
export const RECEIVER_MOODS = [
  'well',
  'failing',
  'hanging',
  'gone',
  'busy',
  'losing answers',
  'redirecting',
] as const;
export type ReceiverMood = (typeof RECEIVER_MOODS)[number];

const HOUR = 3_600_000;

/** How long a function may still suffer from a fault: it waits for an answer, and tries again. */
const AFTERMATH = 60_000;

/** The current faults. They have their own random numbers, so that removing a command does not change the others. */
export class Weather {
  /** The share of AWS calls that fail. */
  awsRate = 0;
  /** The service whose calls all fail. */
  outage: Call['service'] | undefined;
  /** The share of machines with a wrong clock. */
  skewRate = 0;
  provider: ProviderMood = 'well';
  readonly receivers = new Map<string, ReceiverMood>();
  readonly #random: () => number;
  readonly #now: () => number;
  #feltUntil = 0;

  constructor(random: () => number, now: () => number) {
    this.#random = random;
    this.#now = now;
  }

  /** Whether a function may fail because of the weather. */
  get isBad(): boolean {
    return this.awsRate > 0 || this.outage !== undefined || this.#now() < this.#feltUntil;
  }

  /** From here on nothing fails. */
  clear(): void {
    this.awsRate = 0;
    this.outage = undefined;
    this.skewRate = 0;
    this.provider = 'well';
    this.receivers.clear();
  }

  isHit = (rate: number): boolean => this.#random() < rate;

  readonly faults: FaultPlan = (call) => {
    // The observer is not part of the simulated world.
    if (call.process === 'observer') return undefined;
    if (call.process.startsWith('mapping')) return this.#faultOfMapping(call);
    const fault = this.#faultOf(call);
    if (fault !== undefined) this.#feltUntil = this.#now() + AFTERMATH;
    return fault;
  };

  #faultOf(call: Call): Fault | undefined {
    if (this.outage === call.service) return 'throttled';
    if (!this.isHit(this.awsRate)) return undefined;
    const possible = faultsOf(call);
    return possible[Math.floor(this.#random() * possible.length)];
  }

  /** Lambda itself does not die, but its calls to SQS may fail. */
  #faultOfMapping(call: Call): Fault | undefined {
    if (!this.isHit(this.awsRate)) return undefined;
    return call.operation === 'ReceiveMessage' ? 'duplicate' : 'answer lost';
  }

  skew = (): number => {
    if (!this.isHit(this.skewRate)) return 0;
    return Math.round((2 * this.#random() - 1) * (this.isHit(0.5) ? HOUR : HOUR / 12));
  };
}
