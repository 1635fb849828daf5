import { setting } from '../../environment.ts';
import type { ResultStore } from '../../videos/results/result-store.ts';

/** Where results are kept. What writes them is loaded with the first one. */
export function keptResults(): Pick<ResultStore, 'save'> {
  const bucket = setting('resultsBucket');
  let store: Promise<ResultStore> | undefined;
  const load = async () => {
    const [{ s3 }, { ResultStore }] = await Promise.all([
      import('../../aws/s3.ts'),
      import('../../videos/results/result-store.ts'),
    ]);
    return new ResultStore(s3, bucket);
  };
  return {
    save: async (...result) => {
      store ??= load();
      return (await store).save(...result);
    },
  };
}
