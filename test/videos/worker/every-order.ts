import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { setImmediate as eventLoop } from 'node:timers/promises';

/** A world and those who act in it at the same time. */
export interface Scene {
  readonly actors: Readonly<Record<string, () => Promise<unknown>>>;
  /** Called with what each actor waits in before every call of its to something outside. */
  readonly pauseBy: (turn: (call: string) => Promise<void>) => void;
  /** All that decides how it goes on, but for what the actors know. */
  readonly state: () => string;
  /** Throws where the world is as it must never be. */
  readonly check: () => void;
  /** What happens once nobody acts any more. `dead` are those who never went on. */
  readonly end: (dead: readonly string[]) => Promise<void>;
}

export interface Searched {
  /** Worlds that were told apart. */
  readonly states: number;
  /** Of these, those in which all had acted, and that were lived on from until the job had ended. */
  readonly ends: number;
}

const LONGEST_SETTLING = 1_000;

/**
 * Goes every way through a scene: whose call is next, and whether one of the actors, at most, never goes on. A state
 * that was seen is not gone on from again: what actors know is what they did, each with the world as it was then.
 *
 * @throws what `check` or `end` throws, with the way that leads there
 */
export async function goEveryWay(open: () => Promise<Scene>): Promise<Searched> {
  const seen = new Set<string>();
  const ways: (readonly string[])[] = [[]];
  let ends = 0;
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    const walk = new Walk(await open());
    try {
      await walk.repeat(way);
      walk.check();
      if (await goOn(walk, seen, ways)) ends++;
    } catch (error) {
      throw new Error(`After ${walk.calls.join(', ')}: ${error}`, { cause: error });
    }
  }
  return { states: seen.size, ends };
}

/** To the end by the first choice each time; the others are ways to go later. False where it is gone from already. */
async function goOn(walk: Walk, seen: Set<string>, ways: (readonly string[])[]): Promise<boolean> {
  for (;;) {
    const [first, ...others] = walk.choices();
    if (first === undefined) break;
    const state = walk.state();
    if (seen.has(state)) return false;
    seen.add(state);
    ways.push(...others.map((other) => [...walk.choicesTaken, other]));
    await walk.take(first);
    walk.check();
  }
  // What follows is up to the world alone: nobody is left who knows anything.
  const last = walk.lastState();
  if (seen.has(last)) return false;
  seen.add(last);
  await walk.end();
  return true;
}

const DIES = ' dies';

/** Whose call it is. One for all ways: each one more would be copied with every step that anybody takes. */
const WHO = new AsyncLocalStorage<string>();

/** One way through a scene. */
class Walk {
  readonly choicesTaken: string[] = [];
  /** The same, for people. */
  readonly calls: string[] = [];
  readonly #scene: Scene;
  readonly #waiting = new Map<string, { readonly call: string; readonly goOn: () => void }>();
  /** Of each actor, what it did, and how the world was then. */
  readonly #known = new Map<string, string>();
  readonly #ended = new Set<string>();
  readonly #dead: string[] = [];
  #failure: unknown;

  constructor(scene: Scene) {
    this.#scene = scene;
    scene.pauseBy((call) => this.#pause(call));
    for (const [name, act] of Object.entries(scene.actors)) this.#start(name, act);
  }

  async repeat(way: readonly string[]): Promise<void> {
    await this.#settle();
    for (const choice of way) await this.take(choice);
  }

  choices(): string[] {
    const waiting = [...this.#waiting.keys()].sort();
    return [...waiting, ...(this.#dead.length === 0 ? waiting.map((name) => name + DIES) : [])];
  }

  async take(choice: string): Promise<void> {
    const name = choice.replace(DIES, '');
    const { call, goOn } = this.#waiting.get(name)!;
    this.#waiting.delete(name);
    this.choicesTaken.push(choice);
    this.calls.push(`${choice} ${call}`);
    if (choice.endsWith(DIES)) this.#dead.push(name);
    else {
      this.#known.set(name, digest([this.#known.get(name), call, this.#scene.state()]));
      goOn();
    }
    await this.#settle();
  }

  /** Of a way that is repeated, its beginning was checked before. */
  check = (): void => this.#scene.check();

  state = (): string => digest([this.#scene.state(), [...this.#known].sort(), this.#dead]);

  lastState = (): string => digest([this.#scene.state(), this.#dead]);

  async end(): Promise<void> {
    this.#scene.pauseBy(async () => undefined);
    await this.#scene.end(this.#dead);
  }

  #start(name: string, act: () => Promise<unknown>): void {
    const ended = () => void this.#ended.add(name);
    const failed = (error: unknown) => {
      ended();
      this.#failure ??= error;
    };
    WHO.run(name, () => act().then(ended, failed));
  }

  async #pause(call: string): Promise<void> {
    const name = WHO.getStore();
    if (name === undefined) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(name, { call, goOn: resolve });
    await promise;
  }

  /** Until each actor waits for its turn, has ended or is dead. */
  async #settle(): Promise<void> {
    const isQuiet = (name: string) =>
      this.#waiting.has(name) || this.#ended.has(name) || this.#dead.includes(name);
    for (let turns = 0; !Object.keys(this.#scene.actors).every(isQuiet); turns++) {
      if (turns === LONGEST_SETTLING) throw new Error('somebody waits for what nobody does');
      await eventLoop();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }
}

const digest = (value: unknown): string => createHash('sha1').update(JSON.stringify(value)).digest('base64');
