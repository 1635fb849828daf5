import { describe, expect, test } from '@jest/globals';
import { type Bundle, redeployer } from '../../../local/watch/redeploy.ts';

const bundle = (name: string, digest: string): Bundle => ({ name, file: `/dist/${name}/index.mjs`, digest });
const BUILT = [bundle('get-key', '1'), bundle('get-file', '1'), bundle('upload-server', '1')];

/** A stage with `get-key` and `get-file`. @param build runs instead of the next build */
async function stageWith(build: () => Promise<void> = async () => undefined) {
  const done: string[] = [];
  const state = { bundles: BUILT, isUnreachable: false };
  const run = await redeployer({
    programs: { buildFrom: build, bundles: async () => state.bundles },
    update: async (name, file) => {
      if (state.isUnreachable) throw new Error('the emulator is gone');
      done.push(`update ${name} from ${file}`);
      return name !== 'get-new';
    },
    restartUploads: async () => {
      done.push('restart uploads');
    },
    tell: (text) => done.push(text),
  });
  return { done, state, redeploy: () => run(new Set(['functions/clock.ts'])) };
}

describe('a change of the sources', () => {
  test('updates the functions whose bundles it changes, once', async () => {
    const { done, state, redeploy } = await stageWith();
    state.bundles = [bundle('get-key', '2'), ...BUILT.slice(1)];
    await redeploy();
    await redeploy();
    expect(done).toEqual([
      'update get-key from /dist/get-key/index.mjs',
      'Redeployed get-key',
      'No function has changed',
    ]);
  });

  test('restarts the upload server if its bundle changes', async () => {
    const { done, state, redeploy } = await stageWith();
    state.bundles = [...BUILT.slice(0, 2), bundle('upload-server', '2')];
    await redeploy();
    expect(done).toEqual(['restart uploads', 'Redeployed upload-server']);
  });

  test('says that a new function needs a restart', async () => {
    const { done, state, redeploy } = await stageWith();
    state.bundles = [...BUILT, bundle('get-new', '1')];
    await redeploy();
    expect(done).toContain('get-new is new: restart to deploy it');
    expect(done.some((line) => line.startsWith('Redeployed'))).toBe(false);
  });

  test('that does not build changes nothing', async () => {
    const { done, state, redeploy } = await stageWith(() => Promise.reject(new Error('Unexpected ";"')));
    state.bundles = [bundle('get-key', '2'), ...BUILT.slice(1)];
    await redeploy();
    expect(done).toEqual(['Nothing was redeployed, because the build failed']);
  });

  test('is retried after a function could not be updated', async () => {
    const { done, state, redeploy } = await stageWith();
    state.bundles = [bundle('get-key', '2'), ...BUILT.slice(1)];
    state.isUnreachable = true;
    await expect(redeploy()).rejects.toThrow('the emulator is gone');
    state.isUnreachable = false;
    await redeploy();
    expect(done.at(-1)).toBe('Redeployed get-key');
  });
});
