import { createRequire } from 'node:module';
import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

/** What Jest calls, whose `createContext` can be another for a while. */
const jestsVm = createRequire(import.meta.url)('node:vm');

/**
 * Jest's environment, with a global object like that of any program. Jest's own is a proxy, which is asked each time that
 * code reads `Array` or `Object`; the AWS SDK does so often enough that tests of it took a third longer.
 */
export default class PlainRealm extends TestEnvironment {
  constructor(...args) {
    const { createContext } = jestsVm;
    jestsVm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      jestsVm.createContext = createContext;
    }
  }
}
