import { memoize } from '@smithy/core/config';
import * as v from 'valibot';
import { kmsDerivation } from '../../aws/derive-bytes.ts';
import { ownRole } from '../../aws/own-role.ts';
import { systemClock } from '../../clock.ts';
import { consumerPorts, jobsHandler, PROVIDER_MILLISECONDS } from '../../deployed/consumers.ts';
import { deployedEgress } from '../../deployed/egress.ts';
import { fileStore } from '../../deployed/stores.ts';
import { figureStore, jobStore, pollQueue, shareStore, submitQueue } from '../../deployed/videos.ts';
import { setting } from '../../environment.ts';
import { INPUT_MILLISECONDS, workersVariable } from '../../fair-shares.ts';
import { log } from '../../telemetry/logger.ts';
import { type CallbackAddress, callbackAddress } from '../../videos/callbacks/callback-address.ts';
import type { InputObject } from '../../videos/inputs/input-objects.ts';
import { inputLink, type ProviderInputsPorts, WorkspaceInputs } from '../../videos/inputs/provider-inputs.ts';
import { figureBook } from '../../videos/routing/figure-store.ts';
import { advanceJob } from '../../videos/worker/advance-job.ts';
import { deploymentKey } from '../../webhooks/signature.ts';

const submits = submitQueue();
const polls = pollQueue();

export const handler = jobsHandler(advanceJob, {
  ...consumerPorts({ milliseconds: PROVIDER_MILLISECONDS, inputsOf: providerInputs() }),
  callbackUrl: callbackAddresses(),
  figures: figureBook({ store: figureStore(), now: systemClock, log }),
  queueOf: (phase) => (phase === 'polling' ? polls : submits),
  shares: shareStore(),
  submitters: setting('submitters', workersVariable),
});

/** Undefined where the stage asks nobody to call it. */
function callbackAddresses(): CallbackAddress | undefined {
  const callbacks = setting('providerCallbacks', v.optional(v.string(), 'off'));
  if (callbacks === 'off') return undefined;
  const keyId = setting('signingKeyId');
  const key = memoize(async () => {
    const { kms } = await import('../../aws/kms.ts');
    return deploymentKey(kmsDerivation(kms, keyId));
  });
  return callbackAddress({ origin: callbacks === 'on' ? undefined : callbacks, key, log });
}

/** How providers get the inputs of a workspace's jobs. */
function providerInputs(): (workspaceId: string) => WorkspaceInputs {
  const role = ownRole();
  const ports: ProviderInputsPorts = {
    fetch: deployedEgress(INPUT_MILLISECONDS),
    addressMilliseconds: INPUT_MILLISECONDS,
    files: fileStore(),
    jobs: jobStore(),
    objects: { open: openInput },
    linkTo: (object, mediaType, now) => inputLink(role, object, mediaType, now),
    filesBucket: setting('filesBucket'),
    resultsBucket: setting('resultsBucket'),
    now: systemClock,
  };
  return (workspaceId) => new WorkspaceInputs(workspaceId, ports);
}

/** Loads the S3 client when it is needed: most jobs have no input of ours, and most providers fetch it themselves. */
async function openInput(object: InputObject) {
  const [{ s3 }, { InputObjects }] = await Promise.all([
    import('../../aws/s3.ts'),
    import('../../videos/inputs/input-objects.ts'),
  ]);
  return new InputObjects(s3).open(object);
}
