import { validate } from '../../../functions/http/validation.ts';
import { micros } from '../../../functions/money/micros.ts';
import { findOffer } from '../../../functions/videos/catalogue/catalogue.ts';
import type { Offer } from '../../../functions/videos/catalogue/offer.ts';
import { type VideoRequest, videoRequestSchema } from '../../../functions/videos/catalogue/video-request.ts';

const sandbox = findOffer('sandbox/clip-1')!;

/** An offer of `acme/fox` at the provider with this name. @param change the fields that a test sets */
export const anOffer = (provider: string, change: Partial<Offer> = {}): Offer => ({
  ...sandbox,
  id: `${provider}/fox`,
  model: 'acme/fox',
  provider,
  ...change,
});

export const priced = (price: number) => ({
  price_per_second: { silent: micros(price), with_audio: micros(price) },
});

export const aRequest = (fields: Record<string, unknown> = {}): VideoRequest =>
  validate(videoRequestSchema, { model: 'acme/fox', prompt: 'A fox', ...fields });

export const NOW = new Date('2026-11-21T00:00:00Z');
