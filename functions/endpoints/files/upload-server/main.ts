import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as v from 'valibot';
import { systemClock } from '../../../clock.ts';
import { deployedGate, recorder } from '../../../deployed/gate.ts';
import { setting } from '../../../environment.ts';
import { DRAIN, UNAUTHENTICATED, UPLOAD_PACE, UPLOAD_PLACES } from '../../../fair-shares.ts';
import { budgetedAuthenticator, UnauthenticatedBudget } from '../../../gate/unauthenticated-budget.ts';
import { log } from '../../../telemetry/logger.ts';
import { reportUploadsInProgress } from '../../../telemetry/metrics.ts';
import { routes } from '../definition.ts';
import { partOperation, uploadOperation } from '../upload-operation.ts';
import { STOP_TIMEOUT } from './limits.ts';
import { createUploadServer } from './upload-server.ts';

const REPORT_INTERVAL = 60_000;

/**
 * The host names that requests may use, for a server that web pages can reach, such as one on a developer's machine.
 */
const hostsVariable = v.optional(
  v.pipe(
    v.string(),
    v.transform((text) => text.split(',')),
  ),
);
const portVariable = v.pipe(v.string(), v.transform(Number), v.integer(), v.minValue(0), v.maxValue(65_535));

const gate = deployedGate(routes['upload-file']);
const budget = new UnauthenticatedBudget(UNAUTHENTICATED, systemClock);

const { http, places } = createUploadServer({
  ...gate,
  authenticator: budgetedAuthenticator(gate.authenticator, budget, gate.entrance),
  upload: uploadOperation(),
  parts: { record: recorder(routes['add-upload-part']), add: partOperation() },
  log,
  newRequestId: randomUUID,
  now: systemClock,
  maxUploads: UPLOAD_PLACES,
  pace: UPLOAD_PACE,
  drain: DRAIN,
  hosts: setting('hosts', hostsVariable),
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
http.listen(setting('port', portVariable), setting('host'));
await once(http, 'listening');
log.info('upload server is listening', { address: http.address() });
setInterval(() => reportUploadsInProgress(places.takePeak()), REPORT_INTERVAL).unref();

/** Takes no new requests and lets the others end; the process ends when nothing is left. */
function stop(): void {
  places.close();
  http.close(() => log.info('upload server has stopped'));
  setTimeout(() => http.closeAllConnections(), STOP_TIMEOUT).unref();
}
