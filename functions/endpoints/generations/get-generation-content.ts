import { kms } from '../../aws/kms.ts';
import { systemClock } from '../../clock.ts';
import { routeHandler } from '../../deployed/gate.ts';
import { contentStore, workspaceStore } from '../../deployed/stores.ts';
import { jobStore } from '../../deployed/videos.ts';
import { setting } from '../../environment.ts';
import { findGeneration } from '../../generations/find-generation.ts';
import { type OpenPorts, openContent, unsealContent } from '../../generations/sealed-content.ts';
import { json } from '../../http/response.ts';
import { routes } from './definition.ts';

const jobs = jobStore();
const workspaces = workspaceStore();
const kmsKeyId = setting('generationLogsKmsKey');
const ports: OpenPorts = {
  contents: contentStore(),
  unseal: (owner, sealed) => unsealContent(kms, kmsKeyId, owner, sealed),
  now: systemClock,
};

export const handler = routeHandler(routes['get-generation-content'], async (call) => {
  const generation = await findGeneration(call, jobs, workspaces);
  return json(200, { data: await openContent(generation, ports) });
});
