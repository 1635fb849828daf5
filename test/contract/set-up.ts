import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningStage, startStage } from '../../local/stage.ts';

declare global {
  var genwayStage: RunningStage | undefined;
}

/** Deploys Genway to an emulator of its own, on free ports, once for the whole run. */
export default async function setUp(): Promise<void> {
  const stage = await startStage({
    stateDir: await mkdtemp(join(tmpdir(), 'genway-contract-')),
    port: 0,
  });
  globalThis.genwayStage = stage;
  process.env.GENWAY_CONTRACT_STAGE = JSON.stringify({
    baseUrl: stage.baseUrl,
    managementKey: stage.managementKey,
    apiKey: stage.apiKey,
    origins: stage.origins,
    aws: stage.aws,
    uploadEnvironment: stage.outputs.UploadEnvironment,
  });
}
