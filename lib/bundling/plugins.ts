import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import type { Offer } from '../../functions/videos/catalogue/offer.ts';
import { ROOT } from './bundle.ts';

/**
 * An ES module that imports `node:http` makes Node.js read all its exports, including `WebSocket`, which loads undici.
 * That takes about 20 ms of a cold start. As a built-in object it loads only what the program uses.
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
 * undici's index loads all of undici; this keeps the two fifths that we use. Of its two HTTP parsers it keeps the one
 * for processors like those of every Lambda.
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

/** Adds a stage's own models to the catalogue during bundling; a row with a known id replaces the existing row. */
export function stageModels(models: readonly Offer[]): Plugin {
  return {
    name: 'stage-models',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]catalogue[\\/]models\.json$/ }, ({ path }) => {
        const known: Offer[] = JSON.parse(readFileSync(path, 'utf8'));
        return { contents: JSON.stringify(mergeModels(known, models)), loader: 'json' };
      });
    },
  };
}

export function mergeModels(known: readonly Offer[], own: readonly Offer[]): Offer[] {
  return [...new Map([...known, ...own].map((model) => [model.id, model])).values()];
}
