import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import OwnRealm from './environment.js';
import { importTest } from './own-modules.js';

describe('the realm of a test file leaves as it was', () => {
  const realm = new OwnRealm({ projectConfig: { fakeTimers: {} } });
  const before = {
    path: process.env.PATH,
    folder: process.cwd(),
    fetch: globalThis.fetch,
    crypto: Object.getOwnPropertyDescriptor(globalThis, 'crypto'),
    beforeExit: process.rawListeners('beforeExit'),
  };
  afterEach(() => realm.teardown());

  test.each<[string, () => void, () => unknown, unknown]>([
    [
      'a new variable',
      () => Object.assign(process.env, { GENWAY_NEW: '1' }),
      () => process.env.GENWAY_NEW,
      undefined,
    ],
    ['a variable', () => Reflect.deleteProperty(process.env, 'PATH'), () => process.env.PATH, before.path],
    ['the folder', () => process.chdir('/'), () => process.cwd(), before.folder],
    [
      'a new global',
      () => Object.assign(globalThis, { genwayNew: 1 }),
      () => 'genwayNew' in globalThis,
      false,
    ],
    ['a global', () => Object.assign(globalThis, { fetch: null }), () => globalThis.fetch, before.fetch],
    [
      'a global with a getter',
      () => Object.defineProperty(globalThis, 'crypto', { value: null }),
      () => Object.getOwnPropertyDescriptor(globalThis, 'crypto'),
      before.crypto,
    ],
    [
      'the listeners',
      () => process.on('beforeExit', () => undefined),
      () => process.rawListeners('beforeExit'),
      before.beforeExit,
    ],
    ['the clock', () => realm.fakeTimersModern.useFakeTimers({ now: 0 }), () => Date.now() > 0, true],
  ])('%s', async (_, change, now, expected) => {
    change();
    expect(now()).not.toEqual(expected);
    await realm.teardown();
    expect(now()).toEqual(expected);
  });
});

const asked = { globalsFor: () => ({}), mockOf: () => undefined, isMeasured: false };

test('each test file gets its own modules and its own JSON', async () => {
  for (const _ of ['one file', 'another file']) {
    await importTest(join(import.meta.dirname, 'fixtures/counting.ts'), asked);
    expect(globalThis).toHaveProperty('genwayCalls', [1, 1]);
    Reflect.deleteProperty(globalThis, 'genwayCalls');
  }
});

test('a file that has changed is read again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'genway-native-'));
  const file = join(folder, 'changing.ts');
  for (const value of [1, 1, 22]) {
    writeFileSync(file, `Object.assign(globalThis, { genwayValue: ${value} as number });`);
    await importTest(file, asked);
    expect(globalThis).toHaveProperty('genwayValue', value);
    Reflect.deleteProperty(globalThis, 'genwayValue');
  }
  rmSync(folder, { recursive: true });
});

describe('what Jest cannot do with modules that Node.js loads fails', () => {
  test.each<[string, () => unknown]>([
    ['jest.mock', () => jest.mock('./fixtures/counter.ts')],
    ['jest.doMock', () => jest.doMock('./fixtures/counter.ts', () => ({}))],
    ['jest.resetModules', () => jest.resetModules()],
    ['jest.requireActual', () => jest.requireActual('./fixtures/counter.ts')],
    ['a mock of a package', () => jest.unstable_mockModule('undici', () => ({}))],
  ])('%s', (_, call) => {
    expect(call).toThrow('unstable_mockModule');
  });
});
