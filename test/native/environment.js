import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Where a test file runs: the worker's own realm, which is left as it was found. */
export default class OwnRealm {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #globals = Object.getOwnPropertyDescriptors(globalThis);
  #variables = { ...process.env };
  #exit = process.exit;

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {
    // Jest's would look for source maps. There are none: where types stood are spaces now.
    delete Error.prepareStackTrace;
  }

  handleTestEvent({ name }) {
    // Jest takes the time in this realm too.
    if (name === 'run_finish') this.fakeTimersModern.useRealTimers();
  }

  async teardown() {
    this.fakeTimersModern.useRealTimers();
    process.exit = this.#exit;
    for (const name of Object.keys(process.env)) if (!(name in this.#variables)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    for (const key of Reflect.ownKeys(globalThis)) {
      if (!Object.hasOwn(this.#globals, key)) Reflect.deleteProperty(globalThis, key);
    }
    for (const key of Reflect.ownKeys(this.#globals)) {
      const { value } = this.#globals[key];
      if (value !== undefined && Object.getOwnPropertyDescriptor(globalThis, key)?.value !== value) {
        Reflect.defineProperty(globalThis, key, this.#globals[key]);
      }
    }
  }

  getVmContext() {
    return null;
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }
}
