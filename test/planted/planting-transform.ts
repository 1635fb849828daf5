import swcJest from '@swc/jest';

const { createTransformer: withSwc } = swcJest;
type Transform = NonNullable<ReturnType<typeof withSwc>['processAsync']>;

interface Settings {
  readonly planted: { readonly from: string; readonly to: string };
}

/** What transforms sources for Jest while `plant.ts` runs it: it plants a bug in `functions/`. */
export function createTransformer({ planted: { from, to }, ...swc }: Settings) {
  const { processAsync } = withSwc(swc);
  if (processAsync === undefined) throw new Error('swc transforms nothing');
  const plant = (source: string, path: string) =>
    path.includes('/functions/') ? source.replace(from, () => to) : source;
  return {
    processAsync: ((source, path, options) =>
      processAsync(plant(source, path), path, options)) satisfies Transform,
  };
}
