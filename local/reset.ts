import { parseResetArguments, RESET_HELP } from './arguments.ts';
import { isEmulatorRunning } from './emulator/emulator.ts';
import { LocalRunError } from './failure.ts';
import { emptyStateFolder, stateFolder } from './state-folder.ts';

try {
  const { help, stateDir } = parseResetArguments(process.argv.slice(2));
  if (help) process.stdout.write(`${RESET_HELP}\n`);
  else await reset(stateDir);
} catch (error) {
  if (!(error instanceof LocalRunError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function reset(stateDir: string): Promise<void> {
  const state = stateFolder(stateDir);
  if (await isEmulatorRunning(state)) {
    throw new LocalRunError(`A local run uses ${state.root}: stop it with Ctrl-C, then reset.`);
  }
  await emptyStateFolder(state);
  process.stdout.write(`The state in ${state.root} is gone; npm start begins anew.\n`);
}
