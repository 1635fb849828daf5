import { microsToUsd } from '../../money/micros.ts';
import type { VideoModel } from './catalogue.ts';
import { frameFormats, sizeName } from './frame-size.ts';

/** A model as `GET /videos/models` shows it. */
export function describeModel(model: VideoModel) {
  return {
    id: model.id,
    canonical_slug: model.id,
    name: model.name,
    description: model.description,
    created: model.created,
    supported_durations: model.durations,
    ...(model.durations_by_resolution === undefined
      ? {}
      : { supported_durations_by_resolution: model.durations_by_resolution }),
    supported_resolutions: model.resolutions,
    supported_aspect_ratios: model.aspect_ratios,
    supported_sizes: frameFormats(model.resolutions, model.aspect_ratios).map(sizeName),
    supported_frame_images: model.frame_images,
    generate_audio: model.audio !== 'never',
    seed: model.seed,
    creativity: null,
    upscale_factor: null,
    allowed_passthrough_parameters: model.passthrough,
    pricing_skus: pricingSkus(model.price_per_second),
    ...(model.eol_at === undefined ? {} : { eol_at: model.eol_at }),
  };
}

function pricingSkus({ silent, with_audio, by_resolution = {} }: VideoModel['price_per_second']) {
  return {
    duration_seconds: dollars(silent),
    duration_seconds_with_audio: dollars(with_audio),
    ...Object.fromEntries(
      Object.entries(by_resolution).flatMap(([resolution, price]) => [
        [`duration_seconds_${resolution}`, dollars(price.silent)],
        [`duration_seconds_with_audio_${resolution}`, dollars(price.with_audio)],
      ]),
    ),
  };
}

/** The shortest decimal: it is exact, as a quotient of an integer this small is written with six places at most. */
const dollars = (micros: number): string => String(microsToUsd(micros));
