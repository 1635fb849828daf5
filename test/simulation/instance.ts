import * as nodeCrypto from 'node:crypto';
import { createRequire } from 'node:module';
import type { Log } from '../../functions/telemetry/log.ts';
import type { VideoProvider } from '../../functions/videos/providers/provider.ts';
import type { AwsWorld } from '../engines/index.ts';
import type { FunctionName, InstanceScript } from './bundle.ts';
import type { AdapterKit } from './plain-adapter.ts';

/** Takes the place of modules (`OUTSIDE` in `bundle.ts`). */
export interface InstanceModules {
  readonly aws: ReturnType<AwsWorld['startProcess']>;
  readonly log: Log;
  /** Undefined where the shipped adapter is used. */
  readonly provider: (name: string, kit: AdapterKit) => VideoProvider | undefined;
}

/** What belongs to one machine. */
export type InstanceGlobals = ReturnType<typeof globalsOf>;

export interface Machine {
  readonly environment: Readonly<Record<string, string>>;
  readonly modules: InstanceModules;
  readonly clock: Pick<AwsWorld['clock'], 'wait' | 'ringIn'>;
  /** The time of this machine's clock, which may be wrong. */
  readonly now: () => number;
  readonly random: () => number;
  readonly fetch: typeof fetch;
  readonly print: (text: string) => void;
}

export type Handler = (event: unknown, context: unknown) => Promise<unknown>;

/** Loads a function, like a cold start. */
export function startFunction(name: FunctionName, script: InstanceScript, machine: Machine): Handler {
  const exported = script.load({
    require: requireOn(machine),
    ports: machine.modules,
    globals: globalsOf(machine),
  });
  const { handler } = exported[name]?.() ?? {};
  if (typeof handler !== 'function') throw new Error(`${name} has no handler`);
  return async (event, context) => handler(event, context);
}

const nodeRequire = createRequire(import.meta.url);
/** A cache, because finding a module takes longer than loading most of them. */
const required = new Map<string, unknown>();

function requireOnce(name: string): unknown {
  if (!required.has(name)) required.set(name, nodeRequire(name));
  return required.get(name);
}

/** Signs at once. Node.js would sign in another thread, and no simulated clock knows when that ends. */
const signAtOnce = (
  algorithm: string | null | undefined,
  data: NodeJS.ArrayBufferView,
  key: nodeCrypto.KeyLike,
  done?: (error: Error | null, signature: Buffer) => void,
): Buffer => {
  const signature = nodeCrypto.sign(algorithm, data, key);
  if (done !== undefined) queueMicrotask(() => done(null, signature));
  return signature;
};

const ownCrypto = { ...nodeCrypto, sign: signAtOnce };

/** Node.js's modules, without its time and random numbers. */
function requireOn(machine: Machine): (name: string) => unknown {
  const { wait } = machine.clock;
  const replaced: Readonly<Record<string, unknown>> = {
    timers: { setImmediate },
    'timers/promises': {
      setImmediate: async () => undefined,
      setTimeout: async <T>(milliseconds: number, value: T, options: { signal?: AbortSignal } = {}) => {
        await wait(milliseconds, options.signal);
        return value;
      },
    },
    crypto: Object.assign(Object.create(ownCrypto), chanceOf(machine)),
  };
  return (name) => replaced[name.replace(/^node:/, '')] ?? requireOnce(name);
}

const TOO_LATE = new DOMException('too late', 'TimeoutError');

function chanceOf({ random }: Pick<Machine, 'random'>) {
  const randomBytes = (size: number) => {
    const bytes = Buffer.allocUnsafe(size);
    for (let at = 0; at < size; at++) bytes[at] = Math.floor(random() * 256);
    return bytes;
  };
  const getRandomValues = (bytes: Uint8Array) => {
    bytes.set(randomBytes(bytes.length));
    return bytes;
  };
  const randomUUID = () => {
    const hex = randomBytes(16).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  return { randomBytes, getRandomValues, randomUUID, webcrypto: { getRandomValues, randomUUID } };
}

function globalsOf({ environment, clock, now, random, fetch, print }: Machine) {
  const silent = () => undefined;
  const ringIn = clock.ringIn.bind(clock);
  return {
    process: Object.create(process, { env: { value: environment }, stdout: { value: { write: print } } }),
    Date: dateBy(now),
    Math: Object.create(Math, { random: { value: random } }),
    AbortSignal: {
      any: (signals: AbortSignal[]) => AbortSignal.any(signals),
      abort: (reason?: unknown) => AbortSignal.abort(reason),
      timeout: (milliseconds: number) => {
        const over = new AbortController();
        ringIn(milliseconds, () => over.abort(TOO_LATE));
        return over.signal;
      },
    },
    setTimeout: (work: () => void, milliseconds = 0) => ringIn(milliseconds, work),
    clearTimeout: (stop?: () => void) => stop?.(),
    fetch,
    console: { log: silent, info: silent, warn: silent, error: silent, debug: silent },
    performance: { now },
    crypto: chanceOf({ random }),
    global: Object.create(globalThis, { crypto: { value: chanceOf({ random }) } }),
  };
}

function dateBy(now: () => number): DateConstructor {
  return new Proxy(Date, {
    construct: (date, given) => Reflect.construct(date, given.length === 0 ? [now()] : given),
    get: (date, name) => (name === 'now' ? now : Reflect.get(date, name)),
  });
}
