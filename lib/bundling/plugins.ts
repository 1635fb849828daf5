import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import { mergeModels, type Offer } from '../../functions/videos/catalogue/offer.ts';

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
