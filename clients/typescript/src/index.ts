export * from './client.ts';
export * from './errors.ts';
export type { Options } from './http.ts';
export type { StoredFile, Video, VideoRequest } from './types.ts';
export { verifyWebhook, type WebhookEvent } from './webhook.ts';
