import { createRequire, isBuiltin } from 'node:module';
import { pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';
import { importTest } from './own-modules.js';

const require = createRequire(import.meta.url);

/** What would change, or load, modules that Jest has loaded. */
const WITHOUT_EFFECT = [
  ...[
    'mock',
    'doMock',
    'setMock',
    'unmock',
    'dontMock',
    'deepUnmock',
    'unstable_unmockModule',
    'onGenerateMock',
  ],
  ...['enableAutomock', 'disableAutomock', 'autoMockOn', 'autoMockOff', 'createMockFromModule'],
  ...['requireActual', 'requireMock', 'resetModules', 'isolateModules', 'isolateModulesAsync'],
];

const refuse = (name) => () => {
  throw new Error(
    `jest.${name}() has no effect here, because Node.js loads the modules. Call jest.unstable_mockModule() before import().`,
  );
};

const urlOf = (name, from) =>
  isBuiltin(name) ? `node:${name.replace('node:', '')}` : new URL(name, pathToFileURL(from)).href;

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
      globalsFor: (importer) => this.#globals(importer),
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
    if (!isBuiltin(name) && !/^\.{1,2}\//.test(name))
      throw new Error(
        `jest.unstable_mockModule() cannot mock the package ${name}, only built-in modules and our own`,
      );
    this.#mocks.set(urlOf(name, from), make());
  }

  #globals(importer) {
    const globals = this.requireModuleOrMock(importer, '@jest/globals');
    for (const name of WITHOUT_EFFECT) globals.jest[name] = refuse(name);
    return globals;
  }

  installGetBuiltinModule() {
    // Built-in modules are the process's own.
  }
}

export { NativeRuntime as default, NativeRuntime as 'module.exports' };
