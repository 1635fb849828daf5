import { readFileSync } from 'node:fs';
import type { Plugin } from 'esbuild';
import type { VideoModel } from '../functions/videos/catalogue/catalogue.ts';

/** Puts a stage's own models into the catalogue's file as it is bundled; a row of a known id takes its place. */
export function stageModels(models: readonly VideoModel[]): Plugin {
  return {
    name: 'stage-models',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]catalogue[\\/]models\.json$/ }, ({ path }) => {
        const known: VideoModel[] = JSON.parse(readFileSync(path, 'utf8'));
        return { contents: JSON.stringify(mergeModels(known, models)), loader: 'json' };
      });
    },
  };
}

export function mergeModels(known: readonly VideoModel[], own: readonly VideoModel[]): VideoModel[] {
  return [...new Map([...known, ...own].map((model) => [model.id, model])).values()];
}
