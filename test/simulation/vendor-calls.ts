import { generateKeyPairSync, hash, sign } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import type { Job } from '../../functions/videos/jobs/job.ts';
import { eventIdOf } from '../../functions/webhooks/events/event.ts';
import { chosen, command, nat } from './commands.ts';
import type { Work } from './providers.ts';
import type { Scene } from './scene.ts';

const fal = generateKeyPairSync('ed25519');
/** The keys with which providers sign their calls. */
export const CALL_KEYS = {
  fal: v.parse(v.object({ x: v.string() }), fal.publicKey.export({ format: 'jwk' })).x,
};

/** Where a submit asks its provider to call. */
interface Address {
  readonly token: string;
  readonly job: string;
  readonly submit: number;
  readonly provider: string;
}
const tokenSchema = v.object({ job: v.string(), submit: v.number(), provider: v.string() });

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** How many calls of one submit have an effect. */
const MOST = 3;

/** Those that also tell when work has begun. */
const TALKATIVE = ['byteplus', 'kling'];

/** I18: the providers' calls, on their way through a world that loses, delays, repeats and forges them. */
export class VendorCalls {
  readonly #scene: Scene;
  readonly #random: () => number;
  readonly #addresses: Address[] = [];
  /** The submits for which somebody has called at a true address. */
  readonly #called = new Set<string>();
  /** When jobs were told that their work had ended, so that it had to be noticed. */
  readonly #told = new Map<string, number>();
  /** When somebody noticed that it had. */
  readonly #noticed = new Map<string, number>();

  constructor(scene: Scene, random: () => number) {
    this.#scene = scene;
    this.#random = random;
  }

  /** @param url in a submit, whether or not that is accepted */
  given(url: string): Address {
    const token = url.slice(url.lastIndexOf('/') + 1);
    const content = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString();
    const address = { token, ...v.parse(tokenSchema, JSON.parse(content)) };
    this.#addresses.push(address);
    return address;
  }

  /** A provider has accepted work, and will tell of its end. */
  async follow(address: Address, { begunAt, doneAt }: Work): Promise<void> {
    const { world, now } = this.#scene;
    if (TALKATIVE.includes(address.provider)) {
      await world.clock.wait(begunAt - now());
      void this.#deliver(address, 'running');
    }
    if (doneAt === Number.POSITIVE_INFINITY) return;
    await world.clock.wait(doneAt - now());
    await this.#deliver(address, 'succeeded');
  }

  /** Most calls arrive within a second, and a few after minutes. One without an answer is repeated, and others at times. */
  async #deliver(address: Address, status: string): Promise<void> {
    const { weather, world } = this.#scene;
    for (let calls = 0; calls < 5; calls++) {
      await world.clock.wait(Math.min(HOUR, 300 * this.#random() ** -1.2));
      if (this.#random() < weather.lostCalls) return;
      const answered = await this.#call(address, { status }, true);
      if (answered < 500 && this.#random() < 0.8) return;
    }
  }

  async #call(
    { token, provider, job: id, submit }: Address,
    body: { readonly status: string },
    isSigned: boolean,
  ) {
    const { call, jobs, now, weather } = this.#scene;
    const isTrue = this.#addresses.some((each) => each.token === token);
    const isRefused = provider === 'fal' && !isSigned;
    if (isTrue && !isRefused) this.#called.add(`${id} ${submit}`);
    const job = jobs.all.get(id);
    const headers = provider === 'fal' && isSigned ? signatureOf(JSON.stringify(body), now()) : {};
    const { status } = await call({ path: { token }, body, headers });
    const expected = !isTrue ? 404 : isRefused ? 401 : 200;
    if (status !== expected && status < 500 && !weather.hadWrongClocks)
      this.#scene.violate('I18', `a callback is answered ${status}, and not ${expected}`);
    const isHeard = job?.phase === 'polling' && job.submits === submit && (job.callbacks ?? 0) < MOST;
    // A call that says that work has begun may come after its end, and is not heard.
    const isOver = body.status !== 'running' && now() >= this.#endOf(id);
    if (status === 200 && isHeard && isOver && !this.#told.has(id)) this.#told.set(id, now());
    return status;
  }

  /** When its provider has done all that it will do for a job. */
  #endOf = (id: string): number => this.#scene.providers.worksOf(id)[0]?.doneAt ?? Number.POSITIVE_INFINITY;

  /** Somebody calls at an address that was given once, whatever has become of its job, or at one that never was. */
  async forge(at: number, how: number): Promise<void> {
    const address = chosen(this.#addresses, at);
    if (address === undefined) return;
    const [content] = address.token.split('.');
    const signature = chosen(this.#addresses, at >> 3)?.token.split('.')[1];
    const token = chosen([address.token, `${content}.${signature}`, 'none'], how) ?? '';
    const body = { status: 'succeeded', video: { url: 'https://evil.com' } };
    // Once more than has an effect.
    for (let calls = 0; calls <= MOST; calls++) await this.#call({ ...address, token }, body, at % 2 === 0);
  }

  /** Judges a change of a job. */
  readonly judge = (job: Job, before: Job | undefined): void => {
    if (before === undefined) return;
    if ((job.callbacks ?? 0) > (before.callbacks ?? 0)) this.#judgeEffect(job, before);
    if (before.phase !== 'polling' || job.phase === 'polling') return;
    this.#noticed.set(job.id, this.#scene.now());
    if (job.phase === 'made' && this.#scene.now() < this.#endOf(job.id))
      this.#scene.violate('I18', `${job.id} counts as made, and its provider has made nothing`);
  };

  #judgeEffect(job: Job, before: Job): void {
    const { id, submits, callbacks = 0 } = job;
    if (!isDeepStrictEqual({ ...job, callbacks }, { ...before, callbacks }))
      this.#scene.violate('I18', `a callback changes more of ${id} than their count`);
    if (callbacks > MOST)
      this.#scene.violate('I18', `${callbacks} callbacks of a submit of ${id} have an effect`);
    if (!this.#called.has(`${id} ${submits}`))
      this.#scene.violate('I18', `a forged callback counts for submit ${submits} of ${id}`);
  }

  /** At the end of a history in which nothing fails but the calls. */
  judgeEnd(): void {
    const jobs = [...this.#scene.jobs.all.values()];
    for (const job of jobs) {
      this.#judgeDelay(job);
      this.#judgeWebhook(job);
      this.#judgePace(job, jobs);
    }
  }

  #judgeDelay({ id, calls_back }: Job): void {
    const doneAt = this.#endOf(id);
    const longest = calls_back === 'reliably' ? RARE_POLLS : USUAL_POLLS;
    const latest = Math.min(doneAt + longest, this.#told.get(id) ?? Number.POSITIVE_INFINITY) + STEP;
    const noticed = this.#noticed.get(id) ?? 0;
    if (noticed > latest)
      this.#scene.violate('I18', `the end of ${id} is noticed ${noticed - doneAt} ms late`);
  }

  /** What callers hear of an end leaves with it. */
  #judgeWebhook({ id, completed_at }: Job): void {
    const sent = this.#scene.receivers.deliveries.find((each) => each.id === eventIdOf(id));
    const late = (sent?.at ?? 0) - Date.parse(`${completed_at}`);
    if (late > STEP) this.#scene.violate('I18', `the webhook of ${id} leaves ${late} ms after the end`);
  }

  /** A few of the latest ends may not be known yet, or stand where older ones stood. */
  #judgePace({ id, history, calls_back }: Job, jobs: readonly Job[]): void {
    const began = history.find(({ status }) => status === 'in_progress')?.at ?? '';
    // Of a submit that its provider refused there is no work whose end it could tell.
    const ends = jobs.filter(
      ({ completed_at, status, calls_back: asked }) =>
        completed_at && completed_at < began && asked !== undefined && status !== 'cancelled',
    );
    const latest = ends
      .toSorted((one, other) => Date.parse(`${one.completed_at}`) - Date.parse(`${other.completed_at}`))
      .slice(-ENDS_WITHOUT_CALL);
    const wereTold = latest.some(({ callbacks = 0 }) => callbacks > 0);
    if (calls_back === 'reliably' && latest.length === ENDS_WITHOUT_CALL && !wereTold)
      this.#scene.violate('I18', `${id} is polled rarely after ${ENDS_WITHOUT_CALL} ends without a call`);
  }
}

/** Between two polls (`functions/videos/jobs/cadence.ts`). */
const USUAL_POLLS = 25 * SECOND;
const RARE_POLLS = 60 * SECOND;
/** A step of a job that waits for nobody. */
const STEP = 5 * SECOND;

/** Five, and as many that nobody may have written down yet. */
const ENDS_WITHOUT_CALL = 10;

/** As fal signs. */
function signatureOf(body: string, now: number): Record<string, string> {
  const [id, user, timestamp] = ['request-1', 'user-1', String(Math.floor(now / 1000))];
  const content = Buffer.from([id, user, timestamp, hash('sha256', body)].join('\n'));
  return {
    'x-fal-webhook-request-id': id,
    'x-fal-webhook-user-id': user,
    'x-fal-webhook-timestamp': timestamp,
    'x-fal-webhook-signature': sign(null, content, fal.privateKey).toString('hex'),
  };
}

/** Of those who are no provider, or one that repeats itself. */
export const FORGED_CALL = command(
  'forged callback',
  4,
  (random) => ({ at: nat(random), how: nat(random) }),
  ({ calls }, { at, how }) => calls.forge(at, how),
);
