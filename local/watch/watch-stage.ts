import { join } from 'node:path';
import type { RunningStage } from '../stage.ts';
import { CHECKOUT } from '../state-folder.ts';
import { DeployedFunctions } from './deployed-functions.ts';
import { Programs } from './programs.ts';
import { redeployer } from './redeploy.ts';
import { type SourceWatch, watchSources } from './watch-sources.ts';

/** Redeploys the functions of a stage and its upload server when files of functions/ change. */
export async function watchStage(
  { aws, restartUploads }: Pick<RunningStage, 'aws' | 'restartUploads'>,
  tell: (text: string) => void,
): Promise<SourceWatch> {
  const functions = new DeployedFunctions(aws);
  const update = (name: string, file: string) => functions.update(name, file);
  const programs = new Programs();
  const redeploy = await redeployer({ update, restartUploads, tell, programs });
  // Builds everything once more, to learn which files each program uses.
  await programs.buildAll();
  const isSource = (file: string) => /\.(ts|json)$/.test(file);
  const changed = async (files: ReadonlySet<string>) => {
    const sources = [...files].filter(isSource).map((file) => `functions/${file}`);
    if (sources.length > 0) await redeploy(new Set(sources));
  };
  return watchSources(join(CHECKOUT, 'functions'), changed, (error) =>
    tell(`The redeployment failed: ${error instanceof Error ? error.message : String(error)}`),
  );
}
