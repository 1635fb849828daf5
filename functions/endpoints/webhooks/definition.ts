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
  const webhook = { says: 'The settings.', body: dataSchema(shownWebhookSchema) };
  const onItsWay = { says: 'It is on its way.', body: dataSchema(shownDeliverySchema) };
  return {
    'get-workspace-webhook': {
      tag: 'Webhooks',
      summary: 'Read a workspace’s webhook settings',
      answers: { 200: webhook },
      refuses: [404],
    },
    'put-workspace-webhook': {
      tag: 'Webhooks',
      summary: 'Set the default address of a workspace',
      body: webhookChangeSchema,
      answers: { 200: webhook },
      refuses: [404],
    },
    'delete-workspace-webhook': {
      tag: 'Webhooks',
      summary: 'Take the default address away',
      answers: { 200: { says: 'There is none now.', body: deletedSchema } },
      refuses: [404],
    },
    'rotate-webhook-secret': {
      tag: 'Webhooks',
      summary: 'Make a new signing secret',
      description:
        'The secret that it replaces signs beside it for `overlap_hours`, and older ones until the times that were ' +
        `told with them. At most ${MOST_SECRETS} sign at once. A further rotation is refused and told from when on it ` +
        'is possible, unless its `overlap_hours` is 0. If you get no answer, the webhook settings name the secrets ' +
        'that sign, and `reveal` shows the newest.',
      body: secretRotationSchema,
      answers: { 200: { says: 'The new secret.', body: rotatedSecretSchema } },
      refuses: [404, 409],
    },
    'reveal-webhook-secret': {
      tag: 'Webhooks',
      summary: 'Read the secret that signs now',
      description: 'The first one is shown by nothing else.',
      answers: { 200: { says: 'The secret.', body: rotatedSecretSchema } },
      refuses: [404],
    },
    'test-workspace-webhook': {
      tag: 'Webhooks',
      summary: 'Send a test event',
      body: webhookTestSchema,
      answers: { 202: onItsWay },
      refuses: [404],
    },
    'list-webhook-deliveries': {
      tag: 'Webhooks',
      summary: 'List deliveries, newest first',
      query: deliveryListQuery,
      answers: { 200: { says: 'A page of deliveries.', body: cursorPageSchema(shownDeliverySchema) } },
      refuses: [404],
    },
    'redeliver-webhook-delivery': {
      tag: 'Webhooks',
      summary: 'Send an event again',
      description: 'Not while an attempt is under way, nor where there is no address to send to.',
      answers: { 202: onItsWay },
      refuses: [404, 409],
    },
    'recover-webhook-deliveries': {
      tag: 'Webhooks',
      summary: 'Send again all that was lost since a moment',
      body: recoverySchema,
      answers: { 202: { says: 'How many are on their way.', body: dataSchema(recoveredSchema) } },
      refuses: [404],
    },
    'get-webhook-keys': {
      tag: 'Webhooks',
      summary: 'Read the public keys that verify deliveries',
      answers: { 200: { says: 'A JSON Web Key Set.', body: keySetSchema, headers: ['cache-control'] } },
    },
  } as const satisfies Operations<typeof routes>;
};
