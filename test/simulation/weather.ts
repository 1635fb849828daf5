import { type Call, type Fault, type FaultPlan, faultsOf } from '../engines/index.ts';
import { CROWDED_HOST, type Slowness } from './crowd.ts';

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

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** How long a function may still suffer from a fault: it waits for an answer, and tries again. */
const AFTERMATH = 60_000;

/** The current faults. They have their own random numbers, so that removing a command does not change the others. */
export class Weather {
  /** The share of AWS calls that fail. */
  awsRate = 0;
  /** The service whose calls all fail. */
  outage: Call['service'] | undefined;
  /** Calls about rows with this in their keys are throttled half of the time. */
  hotKey: string | undefined;
  /** How late queues hand out messages, in milliseconds. */
  queueDelay = 0;
  /** The share of machines with a very wrong clock. */
  skewRate = 0;
  /** Whether there was such a machine. Then nobody can say when something is over. */
  hadWrongClocks = false;
  provider: ProviderMood = 'well';
  /** The share of the providers' calls that get lost. */
  lostCalls = 0;
  /** What takes long for a crowd. */
  slow: Slowness | undefined;
  readonly receivers = new Map<string, ReceiverMood>();
  readonly #random: () => number;
  readonly #now: () => number;
  /** When something last failed at AWS or at a provider. */
  lastBadAt = 0;
  #feltUntil = 0;
  /** Services that fail for a while, and until when. */
  readonly #failing = new Map<Call['service'], number>();

  constructor(random: () => number, now: () => number) {
    this.#random = random;
    this.#now = now;
  }

  /** Whether a function may fail because of the weather. */
  get isBad(): boolean {
    return this.awsRate > 0 || this.outage !== undefined || this.#now() < this.#feltUntil;
  }

  /** Something takes long, for those who have to do with it, and nothing fails. */
  slowDown(what: Slowness | undefined): void {
    this.slow = what;
    // How long jobs wait is judged, and one whose provider will call waits for that.
    if (what !== undefined) this.lostCalls = 1;
    if (what === 'deliveries') this.receivers.set(CROWDED_HOST, 'hanging');
  }

  /** From here on nothing fails. */
  clear(): void {
    this.awsRate = 0;
    this.outage = undefined;
    this.#failing.clear();
    this.hotKey = undefined;
    this.queueDelay = 0;
    this.skewRate = 0;
    this.provider = 'well';
    this.lostCalls = 0;
    this.slow = undefined;
    this.receivers.clear();
  }

  /** How a provider treats one call. */
  moodOfProvider(): ProviderMood {
    if (this.provider === 'well' || !this.isHit(0.7)) return 'well';
    this.lastBadAt = this.#now();
    return this.provider;
  }

  isHit = (rate: number): boolean => this.#random() < rate;

  readonly faults: FaultPlan = (call) => {
    // The observer is not part of the simulated world.
    if (call.process === 'observer') return undefined;
    if (call.process.startsWith('mapping')) return this.#faultOfMapping(call);
    const fault = this.#faultOf(call);
    if (fault === undefined) return undefined;
    this.lastBadAt = this.#now();
    this.#feltUntil = this.lastBadAt + AFTERMATH;
    return fault;
  };

  #faultOf(call: Call): Fault | undefined {
    const { service } = call;
    if (this.outage === service || this.#now() < (this.#failing.get(service) ?? 0)) return 'throttled';
    if (this.hotKey !== undefined && JSON.stringify(call.input).includes(this.hotKey) && this.isHit(0.5))
      return 'throttled';
    if (!this.isHit(this.awsRate)) return undefined;
    const possible = faultsOf(call);
    const fault = possible[Math.floor(this.#random() * possible.length)];
    // Whoever checks what became of a lost answer often meets the same failure.
    const isLost = fault === 'answer lost' || fault === 'answer hangs';
    if (isLost && this.isHit(0.3)) this.#failing.set(service, this.#now() + 20 * SECOND * this.#random());
    return fault;
  }

  /** Lambda itself does not die, but its calls to SQS may fail. */
  #faultOfMapping(call: Call): Fault | undefined {
    if (!this.isHit(this.awsRate)) return undefined;
    return call.operation === 'ReceiveMessage' ? 'duplicate' : 'answer lost';
  }

  /** Most clocks are right, some by a tenth of a second not. A very wrong one is set right while the machine lives. */
  skew = (): (() => number) => {
    const small = this.isHit(0.3) ? Math.round(200 * this.#random() - 100) : 0;
    if (!this.isHit(this.skewRate)) return () => small;
    this.hadWrongClocks = true;
    const large = Math.round((2 * this.#random() - 1) * (this.isHit(0.5) ? HOUR : HOUR / 12));
    const setRightAt = this.#now() + HOUR * this.#random() ** 3;
    return () => (this.#now() < setRightAt ? large : small);
  };
}
