import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import type { VideoEndpoint } from '../functions/videos/catalogue/offer.ts';

/** Adds a stage's own models to the catalogue during bundling; a row with a known id replaces the existing row. */
export function stageModels(models: readonly VideoEndpoint[]): Plugin {
  return {
    name: 'stage-models',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]catalogue[\\/]models\.json$/ }, ({ path }) => {
        const known: VideoEndpoint[] = JSON.parse(readFileSync(path, 'utf8'));
        return { contents: JSON.stringify(mergeModels(known, models)), loader: 'json' };
      });
    },
  };
}

export function mergeModels(known: readonly VideoEndpoint[], own: readonly VideoEndpoint[]): VideoEndpoint[] {
  return [...new Map([...known, ...own].map((model) => [model.id, model])).values()];
}
