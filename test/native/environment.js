import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/**
 * The process's listeners, without those of packages that clean up at its exit. Packages are loaded once for all test
 * files.
 */
const listeners = () =>
  new Map(
    process
      .eventNames()
      .filter((event) => event !== 'exit')
      .map((event) => [event, process.rawListeners(event)]),
  );

/** CDK's modules, which are loaded once too, refer to the values that CDK keeps there. */
const TOKENS_OF_CDK = '__cdkTokenMap';

/** Runs a test file in the worker's own realm and restores the realm afterwards. */
export default class OwnRealm {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #variables = { ...process.env };
  #exit = process.exit;
  #folder = process.cwd();
  #listeners = listeners();

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    // Jest's own hook would look for source maps. None are needed, because spaces replace the types.
    delete Error.prepareStackTrace;
    // Jest's is 100, and `expect` takes a stack each time that it is called.
    Error.stackTraceLimit = 10;
  }

  handleTestEvent({ name }) {
    // Jest measures times in this realm too.
    if (name === 'run_finish') this.fakeTimersModern.useRealTimers();
  }

  async teardown() {
    this.fakeTimersModern.useRealTimers();
    process.exit = this.#exit;
    process.chdir(this.#folder);
    this.#removeListeners();
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    for (const key of Reflect.ownKeys(globalThis)) {
      if (!Object.hasOwn(this.#globals, key) && key !== TOKENS_OF_CDK)
        Reflect.deleteProperty(globalThis, key);
    }
    for (const key of Reflect.ownKeys(this.#globals)) {
      const was = this.#globals[key];
      const is = Object.getOwnPropertyDescriptor(globalThis, key);
      if (was.value !== is?.value || was.get !== is?.get) Reflect.defineProperty(globalThis, key, was);
    }
  }

  #removeListeners() {
    for (const [event, added] of listeners()) {
      const kept = this.#listeners.get(event) ?? [];
      for (const listener of added) if (!kept.includes(listener)) process.off(event, listener);
    }
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
}
