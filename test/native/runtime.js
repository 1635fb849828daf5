import { createRequire, isBuiltin } from 'node:module';
import { pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';
import { importTest } from './own-modules.js';

const require = createRequire(import.meta.url);

/**
 * Runs test files as Node.js runs any program, and not in contexts of `node:vm`, which would load every package again for
 * each file and keep it in memory after its end.
 */
class NativeRuntime extends Runtime {
  #mocks = new Map();
  #isMeasured;
  #ending;

  constructor(...parts) {
    super(...parts);
    const [, , , , , coverage] = parts;
    this.#isMeasured = coverage.collectCoverage;
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    this.#ending = await importTest(path, {
      globalsFor: (importer) => this.requireModuleOrMock(importer, '@jest/globals'),
      mockOf: (url) => this.#mocks.get(url),
      isMeasured: this.#isMeasured,
    });
  }

  /** What earlier test files have loaded is still there, and told too. */
  async stopCollectingV8Coverage() {
    await super.stopCollectingV8Coverage();
    this.v8Coverage.result = this.v8Coverage.result.filter(({ url }) => url.endsWith(this.#ending));
  }

  /** `jest-circus`, whose state is that of one test file. */
  requireInternalModule(path) {
    delete require.cache[path];
    return require(path);
  }

  setModuleMock(from, name, make) {
    this.#mocks.set(isBuiltin(name) ? name : new URL(name, pathToFileURL(from)).href, make());
  }

  installGetBuiltinModule() {
    // Built-in modules are the process's own.
  }
}

export { NativeRuntime as default, NativeRuntime as 'module.exports' };
