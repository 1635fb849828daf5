import { Interrupted } from './cli/cli.ts';
import { processCli } from './cli/process-cli.ts';
import { run } from './cli/run.ts';
import { deployerStages } from './deployer-program.ts';
import { program, type Stages } from './program.ts';

const cli = processCli();
const stages: Stages = {
  async up(options) {
    const { up } = await import('../local/start.ts');
    if ((await up(options, cli.interrupted)) === 'interrupted')
      throw new Interrupted('Stopped before the stage was ready');
  },
  reset: async (stateDir) => (await import('../local/reset.ts')).reset(stateDir),
  async dashboard({ stateDir, ...options }) {
    const [{ dashboard }, { stateFolder }] = await Promise.all([
      import('../local/dashboard/dashboard.ts'),
      import('../local/system/state-folder.ts'),
    ]);
    await dashboard({ ...options, state: stateFolder(stateDir), now: Date.now }, cli.interrupted);
  },
  demo: async (target, folder) => (await import('../local/demo/demo.ts')).demo(target, folder),
  ...deployerStages,
};

process.exitCode = await run(process.argv.slice(2), cli, program(cli, stages));
