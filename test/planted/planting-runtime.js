import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import NativeRuntime from '../native/runtime.js';

const planted = JSON.parse(process.env.GENWAY_PLANTED ?? 'null');

registerHooks({
  load(url, context, next) {
    const { protocol, pathname } = new URL(url);
    if (planted === null || protocol !== 'file:' || !pathname.endsWith(planted.file))
      return next(url, context);
    const source = readFileSync(pathname, 'utf8').replace(planted.from, () => planted.to);
    return { format: 'module', source: stripTypeScriptTypes(source), shortCircuit: true };
  },
});

/** The usual runtime of test files; only the planted source differs. */
export { NativeRuntime as 'module.exports' };
