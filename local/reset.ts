import { isEmulatorRunning } from './emulator/emulator.ts';
import { LocalRunError } from './system/failure.ts';
import { emptyStateFolder, stateFolder } from './system/state-folder.ts';

/** @throws LocalRunError while a run uses the folder */
export async function reset(stateDir: string): Promise<void> {
  const state = stateFolder(stateDir);
  if (await isEmulatorRunning(state)) {
    throw new LocalRunError(`A running stage uses ${state.root}. Stop it with Ctrl-C, then reset.`);
  }
  await emptyStateFolder(state);
  process.stdout.write(
    `The data in ${state.root} is deleted; the next start with this folder begins without data.\n`,
  );
}
