import { DeployedStage } from '../deployed/deployed-stage.ts';
import type { AwsWorld, Process } from '../engines/index.ts';
import type { FunctionName, InstanceScript } from './bundle.ts';
import { type Handler, type InstanceModules, startFunction } from './instance.ts';
import { VIDEO_PROVIDERS } from './providers.ts';

/** An invocation without a result, and why. */
export class InvocationFailed extends Error {
  override readonly name = 'InvocationFailed';
}

interface Instance {
  readonly process: Process;
  readonly handler: Handler;
}

/** How new machines are made. The simulation changes this over time. */
export interface Machines {
  /** The error of the next machine's clock over time, in milliseconds. */
  skew: () => () => number;
  /** The version of a function that the next machine runs. */
  readonly version: (name: FunctionName) => InstanceScript;
  /** Whether an instance is kept after its work. */
  keeps: () => boolean;
  readonly outside: (process: Process) => Pick<InstanceModules, 'provider'> & { fetch: typeof fetch };
  /** Gets what functions write to their logs, which contain their metrics. */
  readonly print: (text: string) => void;
  /** Gets the errors that consumers and sweepers throw. */
  readonly onFailure: (error: unknown) => undefined;
}

const SECOND = 1_000;

/** How many instances of each consumer work at once. */
export const WORKERS = 5;

/** Variables that differ from the deployed stage's. */
const SETTINGS = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'nobody',
  AWS_SECRET_ACCESS_KEY: 'none',
  PRIVATE_HOSTS: '',
  VIDEO_PROVIDERS,
  PROVIDERS: 'fal,replicate,kling',
  SUBMITTERS: String(WORKERS),
  COPIERS: String(WORKERS),
  DELIVERERS: String(WORKERS),
};

/** Lambda on top of the engines. It runs the real handlers and kills some instances. */
export class Cloud {
  readonly world: AwsWorld;
  readonly stage: DeployedStage;
  /** How many invocations are running. */
  underWay = 0;
  readonly #machines: Machines;
  readonly #idle = new Map<FunctionName, Instance[]>();
  #alive = new Set<Instance>();
  #isRunning = true;

  constructor(world: AwsWorld, machines: Machines) {
    this.world = world;
    this.stage = new DeployedStage(world);
    this.#machines = machines;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Reports an error of a consumer or sweeper, so that it goes no further. */
  get onFailure(): Machines['onFailure'] {
    return this.#machines.onFailure;
  }

  stop(): void {
    this.#isRunning = false;
    this.killAll();
  }

  /** @throws InvocationFailed, or the handler's error */
  async invoke(name: FunctionName, event: unknown = {}): Promise<unknown> {
    const instance = this.#idle.get(name)?.pop() ?? this.#startInstance(name);
    const milliseconds = this.stage.timeoutSeconds(name) * SECOND;
    const late = Promise.withResolvers<never>();
    const stop = this.world.clock.ringIn(milliseconds, () => {
      this.#kill(instance);
      late.reject(new InvocationFailed('timed out'));
    });
    const died = instance.process.crashed.then(() => {
      this.#alive.delete(instance);
      throw new InvocationFailed('died');
    });
    this.underWay++;
    try {
      const result = await Promise.race([instance.handler(event, CONTEXT), late.promise, died]);
      this.#giveBack(name, instance);
      return result;
    } catch (error) {
      if (instance.process.isAlive) this.#giveBack(name, instance);
      throw error;
    } finally {
      this.underWay--;
      stop();
    }
  }

  /** Kills all machines at once, in the middle of their work, like a power failure. */
  killAll(): void {
    for (const instance of this.#alive) this.#kill(instance);
    this.#idle.clear();
  }

  /** Replaces all instances, like a deployment: idle ones at once, the others after their work. */
  replaceAll(): void {
    this.#idle.clear();
    this.#alive = new Set();
  }

  #giveBack(name: FunctionName, instance: Instance): void {
    if (!this.#alive.has(instance) || !this.#machines.keeps()) return;
    this.#idle.set(name, [...(this.#idle.get(name) ?? []), instance]);
  }

  #kill(instance: Instance): void {
    this.#alive.delete(instance);
    instance.process.crash();
  }

  #startInstance(name: FunctionName): Instance {
    const aws = this.world.startProcess(name);
    const { process } = aws;
    const { clock, random } = this.world;
    const skew = this.#machines.skew();
    const { fetch, ...outside } = this.#machines.outside(process);
    const handler = startFunction(name, this.#machines.version(name), {
      environment: { ...this.stage.environment(name), ...SETTINGS },
      modules: { aws, ...outside, log: SILENT },
      clock,
      now: () => clock.now().getTime() + skew(),
      random,
      fetch,
      print: this.#machines.print,
    });
    const instance = { process, handler };
    this.#alive.add(instance);
    return instance;
  }
}

const CONTEXT = { functionName: 'simulated', awsRequestId: 'simulated' };
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
