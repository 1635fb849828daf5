import * as v from 'valibot';
import { systemClock } from '../../clock.ts';
import { publicHandler } from '../../deployed/gate.ts';
import { jobStore, pollQueue, videoProviders } from '../../deployed/videos.ts';
import { setting } from '../../environment.ts';
import { NotFound } from '../../http/errors.ts';
import { json } from '../../http/response.ts';
import { log } from '../../telemetry/logger.ts';
import { countRefusedCallback } from '../../telemetry/metrics.ts';
import { readCallbackToken } from '../../videos/callbacks/callback-token.ts';
import { receiveCallback } from '../../videos/callbacks/receive-callback.ts';
import { keySetSchema } from '../../webhooks/signature.ts';
import { routes } from './definition.ts';

const keys = setting('webhookKeys', v.pipe(v.string(), v.parseJson(), keySetSchema));
const providers = videoProviders();
const ports = {
  jobs: jobStore(),
  polls: pollQueue(),
  keysOf: (provider: string) => providers[provider]?.callback_keys ?? [],
  countRefused: countRefusedCallback,
  now: systemClock,
  log,
};

export const handler = publicHandler(routes['receive-callback'], async (call) => {
  const submit = readCallbackToken(call.path.token ?? '', keys);
  if (submit === undefined) throw new NotFound('No such callback');
  await receiveCallback(submit, call, ports);
  return json(200, { received: true });
});
