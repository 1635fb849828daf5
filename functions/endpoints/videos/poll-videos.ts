import { batchHandler } from '../../aws/consume-batch.ts';
import { log } from '../../aws/logger.ts';
import { ownRole } from '../../aws/own-role.ts';
import { systemClock } from '../../clock.ts';
import { parseAllowedHosts } from '../../egress/allowed-hosts.ts';
import { createEgress } from '../../egress/egress-fetch.ts';
import { setting } from '../../environment.ts';
import { INPUT_MILLISECONDS } from '../../fair-shares.ts';
import { inputLink } from '../../videos/inputs/input-link.ts';
import type { InputObject } from '../../videos/inputs/input-objects.ts';
import { type ProviderInputsPorts, WorkspaceInputs } from '../../videos/inputs/provider-inputs.ts';
import { jobMessageSchema } from '../../videos/jobs/job-queue.ts';
import { advanceJob } from '../../videos/worker/advance-job.ts';
import type { MovingPorts } from '../../videos/worker/moving-job.ts';
import { type TakeMessagePorts, takeMessage } from '../../videos/worker/take-message.ts';
import { fileStore } from '../files/deployed.ts';
import { consumerPorts, PROVIDER_MILLISECONDS, thenWritingFigures } from './consumer-ports.ts';
import { queueOf } from './deployed.ts';

const role = ownRole();
const inputs: ProviderInputsPorts = {
  fetch: createEgress({
    allowed: parseAllowedHosts(setting('privateHosts')),
    deadlineMilliseconds: INPUT_MILLISECONDS,
  }),
  addressMilliseconds: INPUT_MILLISECONDS,
  files: fileStore(),
  objects: { open: openInput },
  linkTo: (object, mediaType, now) => inputLink(role, object, mediaType, now),
  filesBucket: setting('filesBucket'),
  inlineBucket: setting('resultsBucket'),
  now: systemClock,
};
const ports: MovingPorts & TakeMessagePorts = {
  ...consumerPorts({
    milliseconds: PROVIDER_MILLISECONDS,
    inputsOf: (workspaceId) => new WorkspaceInputs(workspaceId, inputs),
  }),
  queueOf: queueOf(),
};

export const handler = thenWritingFigures(
  batchHandler(jobMessageSchema, { log, now: systemClock }, (message) =>
    takeMessage(message, ports, advanceJob),
  ),
);

/** Loads the S3 client when it is needed: most jobs have no input of ours, and most providers fetch it themselves. */
async function openInput(object: InputObject) {
  const [{ s3 }, { InputObjects }] = await Promise.all([
    import('../../aws/s3.ts'),
    import('../../videos/inputs/input-objects.ts'),
  ]);
  return new InputObjects(s3).open(object);
}
