import { resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { allOffers, findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import { mergeModels } from '../../../functions/videos/catalogue/offer.ts';
import { stageModels } from '../../../lib/function-bundles.ts';

const sandbox = findOffer('sandbox/clip-1')!;
const own = { ...sandbox, id: 'acme/fox-1' };

describe('a stage’s models', () => {
  test('come after ours, or replace those with the same id', () => {
    const dearer = { ...sandbox, name: 'Dearer' };
    expect(mergeModels([sandbox], [own, dearer])).toEqual([dearer, own]);
  });

  test('are in the bundled catalogue', async () => {
    const { outputFiles } = await build({
      entryPoints: [resolve(import.meta.dirname, '../../../functions/videos/catalogue/models.json')],
      plugins: [stageModels([own])],
      bundle: true,
      format: 'esm',
      write: false,
    });
    const bundle = `data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`;
    const { default: models } = await import(bundle);
    expect(models.map(({ id }: { id: string }) => id)).toEqual([
      ...allOffers().map(({ id }) => id),
      'acme/fox-1',
    ]);
  });
});
