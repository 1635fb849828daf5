import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { ROOT } from './bundle.ts';

/**
 * An ES module that imports `node:http` makes Node.js read every export of it, `WebSocket` among them, which
 * loads undici: some 20 ms of a cold start. Asked for as a built-in object it loads only what is used.
 */
export const lazyHttp: Plugin = {
  name: 'lazy-http',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?https?$/ }, ({ path }) => ({
      path: path.replace('node:', ''),
      namespace: 'lazy-http',
    }));
    onLoad({ filter: /.*/, namespace: 'lazy-http' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('node:${path}');`,
    }));
  },
};

const UNDICI_PARTS = `
  exports.Agent = require('undici/lib/dispatcher/agent.js');
  exports.buildConnector = require('undici/lib/core/connect.js');`;

/**
 * Of undici's index, which loads all of it, what we use: two fifths. Of its two parsers of HTTP the one for processors
 * that every Lambda has.
 */
export const slimUndici: Plugin = {
  name: 'slim-undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'slim-undici' }));
    onLoad({ filter: /.*/, namespace: 'slim-undici' }, () => ({
      contents: UNDICI_PARTS,
      resolveDir: join(ROOT, 'lib'),
    }));
    onLoad({ filter: /[\\/]undici[\\/]lib[\\/]llhttp[\\/]llhttp-wasm\.js$/ }, () => ({
      contents: 'module.exports = undefined;',
    }));
  },
};
