import { readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import Runtime from 'jest-runtime';
import { importTest } from './own-modules.js';

const compiled = new Map();

/** A CommonJS module that is compiled once. Calling it runs the module anew and returns its exports. */
function compile(path) {
  const text = readFileSync(path, 'utf8');
  const run = compileFunction(text, ['exports', 'module', 'require'], { filename: path });
  const require = createRequire(path);
  return () => {
    const module = { exports: {} };
    run(module.exports, module, require);
    return module.exports;
  };
}

/** Methods of `jest` that would change or load modules of Jest's own module system. */
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
 * Lets Node.js run test files like any program. Jest would use contexts of `node:vm`, load every package again for each
 * file, and keep it in memory.
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

  /** The report also contains modules of earlier test files, so they are filtered out. */
  async stopCollectingV8Coverage() {
    await super.stopCollectingV8Coverage();
    this.v8Coverage.result = this.v8Coverage.result.filter(({ url }) => url.endsWith(this.#ending));
  }

  /** Only `jest-circus` is loaded in this way. Its state belongs to one test file. */
  requireInternalModule(path) {
    if (!compiled.has(path)) compiled.set(path, compile(path));
    const circus = compiled.get(path)();
    // A file's result has all its tests, so no message goes to the parent process when each starts and ends.
    const initialize = (options) => circus.initialize({ ...options, sendMessageToJest: undefined });
    return { ...circus, initialize };
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
    // The test files use the process's own built-in modules.
  }
}

export { NativeRuntime as default, NativeRuntime as 'module.exports' };
