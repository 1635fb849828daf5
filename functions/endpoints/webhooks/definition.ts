import { cursorPageSchema, dataSchema, deletedSchema } from '../../http/answer-schemas.ts';
import { managed, open, routesOf } from '../../http/routes.ts';
import type { Operations } from '../../openapi/operation.ts';
import { recoveredSchema, shownDeliverySchema } from '../../webhooks/events/shown-delivery.ts';
import { MOST_SECRETS } from '../../webhooks/settings/retiring-secrets.ts';
import { rotatedSecretSchema, shownWebhookSchema } from '../../webhooks/settings/shown-webhook.ts';
import { keySetSchema } from '../../webhooks/signature.ts';
import {
  deliveryListQuery,
  recoverySchema,
  secretRotationSchema,
  webhookChangeSchema,
  webhookTestSchema,
} from '../../webhooks/webhook-requests.ts';

export { default as examples } from './examples.json' with { type: 'json' };

export const routes = routesOf({
  'get-workspace-webhook': managed('GET', '/workspaces/{workspace}/webhook', 'read'),
  'put-workspace-webhook': managed('PUT', '/workspaces/{workspace}/webhook', 'webhooks'),
  'delete-workspace-webhook': managed('DELETE', '/workspaces/{workspace}/webhook', 'webhooks'),
  'rotate-webhook-secret': managed('POST', '/workspaces/{workspace}/webhook-secret/rotate', 'webhooks'),
  'reveal-webhook-secret': managed('POST', '/workspaces/{workspace}/webhook-secret/reveal', 'webhooks'),
  'test-workspace-webhook': managed('POST', '/workspaces/{workspace}/webhook/test', 'webhooks'),
  'list-webhook-deliveries': managed('GET', '/workspaces/{workspace}/webhook-deliveries', 'read'),
  'redeliver-webhook-delivery': managed(
    'POST',
    '/workspaces/{workspace}/webhook-deliveries/{delivery}/redeliver',
    'webhooks',
  ),
  'recover-webhook-deliveries': managed(
    'POST',
    '/workspaces/{workspace}/webhook-deliveries/recover',
    'webhooks',
  ),
  'get-webhook-keys': open('/.well-known/webhooks/jwks.json'),
});

/** A table, which reads better whole; a function, so that bundles of handlers leave it out. */
export const operations = () => {
  const webhook = { says: 'The webhook settings.', body: dataSchema(shownWebhookSchema) };
  const onItsWay = { says: 'The delivery is queued.', body: dataSchema(shownDeliverySchema) };
  return {
    'get-workspace-webhook': {
      tag: 'Webhooks',
      summary: 'Get webhook settings',
      description: 'Returns the default callback URL of a workspace and the names of its signing secrets.',
      answers: { 200: webhook },
      refuses: [404],
    },
    'put-workspace-webhook': {
      tag: 'Webhooks',
      summary: 'Set the default callback URL',
      description:
        'Sets the default callback URL, for jobs without a `callback_url`. If deliveries to the URL were disabled, they resume.',
      body: webhookChangeSchema,
      answers: { 200: webhook },
      refuses: [404],
    },
    'delete-workspace-webhook': {
      tag: 'Webhooks',
      summary: 'Delete the default callback URL',
      description:
        'Deletes the default callback URL. Genway then sends no event for jobs without a `callback_url`. It keeps the signing secrets.',
      answers: { 200: { says: 'The default callback URL is deleted.', body: deletedSchema } },
      refuses: [404],
    },
    'rotate-webhook-secret': {
      tag: 'Webhooks',
      summary: 'Rotate the signing secret',
      description: `Creates a signing secret. The previous secret also signs for the number of hours in \`overlap_hours\`. Older secrets sign until their own expiry. The header \`x-openrouter-signature\`, which Genway sends if the deployment sets \`wireNames\` to \`openrouter\`, always uses the newest secret. At most ${MOST_SECRETS} secrets sign at once. Genway refuses a rotation that would exceed this and says when the next one is possible. If \`overlap_hours\` is 0, you can always rotate. If you receive no response, the rotation may have succeeded: reveal the newest secret.`,
      body: secretRotationSchema,
      answers: { 200: { says: 'The new signing secret.', body: rotatedSecretSchema } },
      refuses: [404, 409],
    },
    'reveal-webhook-secret': {
      tag: 'Webhooks',
      summary: 'Reveal the signing secret',
      description:
        'Returns the newest signing secret. Genway creates the first secret of a workspace automatically, so you can get that secret only here.',
      answers: { 200: { says: 'The signing secret.', body: rotatedSecretSchema } },
      refuses: [404],
    },
    'test-workspace-webhook': {
      tag: 'Webhooks',
      summary: 'Send a test event',
      description: 'Sends a `webhook.test` event to the given URL, or to the default callback URL.',
      body: webhookTestSchema,
      answers: { 202: onItsWay },
      refuses: [404],
    },
    'list-webhook-deliveries': {
      tag: 'Webhooks',
      summary: 'List webhook deliveries',
      description:
        'Returns the events of a workspace, newest first, with the attempts to deliver them. Genway keeps an event for 30 days after its creation or last redelivery. With `status`, a page may be empty even if `has_more` is true.',
      query: deliveryListQuery,
      answers: { 200: { says: 'A page of deliveries.', body: cursorPageSchema(shownDeliverySchema) } },
      refuses: [404],
    },
    'redeliver-webhook-delivery': {
      tag: 'Webhooks',
      summary: 'Redeliver an event',
      description:
        'Sends an event again. Genway refuses this while an attempt is in progress, or if the event has no callback URL and the default callback URL is missing or disabled.',
      answers: { 202: onItsWay },
      refuses: [404, 409],
    },
    'recover-webhook-deliveries': {
      tag: 'Webhooks',
      summary: 'Redeliver undelivered events',
      description:
        'Queues job events that were created at or after `since` and have the status `failed` or `no_address`, at most 250 per request. Skips events without a callback URL while the default callback URL is missing or disabled.',
      body: recoverySchema,
      answers: {
        202: {
          says: 'Number of events that this request queued, and whether more are left.',
          body: dataSchema(recoveredSchema),
        },
      },
      refuses: [404],
    },
    'get-webhook-keys': {
      tag: 'Webhooks',
      summary: 'List public webhook keys',
      description:
        'Returns the public keys that verify `v1a` signatures, as a JSON Web Key Set. No API key is needed.',
      answers: { 200: { says: 'A JSON Web Key Set.', body: keySetSchema, headers: ['cache-control'] } },
    },
  } as const satisfies Operations<typeof routes>;
};
