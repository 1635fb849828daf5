import * as v from 'valibot';
import { defined } from '../../defined.ts';
import { type Micros, micros, microsSchema, most, plus, priceSchema, times } from '../../money/micros.ts';
import { CONTINUATIONS } from './continuation.ts';
import { formatOf, RESOLUTIONS, type Resolution } from './frame-size.ts';
import type { RequestedVideo } from './requested-video.ts';

/** By sound, and for each resolution that has prices of its own. */
function tableOf<Schema extends v.GenericSchema>(price: Schema, unit: string) {
  const entries = {
    silent: v.pipe(price, v.description(`Price per ${unit} without sound, in micro-dollars`)),
    with_audio: v.pipe(price, v.description(`Price per ${unit} with sound, in micro-dollars`)),
  };
  return {
    ...entries,
    by_resolution: v.exactOptional(v.record(v.picklist(RESOLUTIONS), v.strictObject(entries))),
  };
}

const tokenPrice = v.pipe(v.number(), v.minValue(0), v.maxValue(1000));
const secondTable = tableOf(priceSchema, 'second of video');
const tokenTable = tableOf(tokenPrice, 'token of video');
const whole = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000));
const tokenCount = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1_000_000));

/** What a vendor bills: by second, and what comes on top. A second's price counts where nothing else is said. */
export const pricesSchema = v.strictObject({
  ...secondTable,
  with_clip: v.exactOptional(v.strictObject(secondTable)),
  clip_seconds: v.exactOptional(
    v.pipe(
      v.strictObject({
        most: v.pipe(
          whole,
          v.description(
            'The provider’s maximum total duration of the input videos, in seconds. If a duration is unknown, the hold assumes this total, or less if `with_output` allows less. The minimum in `least_thirds` always applies',
          ),
        ),
        with_output: v.exactOptional(
          v.pipe(
            whole,
            v.description(
              'The provider’s maximum total duration of the input videos and the generated video, in seconds',
            ),
          ),
        ),
        least_thirds: v.exactOptional(
          v.pipe(
            whole,
            v.description(
              'Minimum billed duration of the input videos, in thirds of the duration of the generated video',
            ),
          ),
        ),
        price: v.exactOptional(
          v.pipe(
            priceSchema,
            v.description(
              'Price per second of input video, in micro-dollars. Defaults to the price per second of the generated video',
            ),
          ),
        ),
      }),
      v.description(
        'How the provider bills the duration of input videos. If omitted, the provider does not bill this duration',
      ),
    ),
  ),
  images: v.exactOptional(
    v.pipe(
      v.strictObject({ price: priceSchema, free: v.optional(whole, 0) }),
      v.description(
        'Price per input image after the first `free` images. Frame images count as input images',
      ),
    ),
  ),
  least: v.exactOptional(v.pipe(priceSchema, v.description('Minimum price of a request, in micro-dollars'))),
  tokens: v.exactOptional(
    v.pipe(
      v.strictObject({ ...tokenTable, with_clip: v.exactOptional(v.strictObject(tokenTable)) }),
      v.description(
        'Prices per token, if the provider bills tokens. The hold ignores these prices. If the provider reports the tokens, the charge uses only these prices and those in `text`, and never exceeds the hold',
      ),
    ),
  ),
  text: v.exactOptional(
    v.pipe(
      v.strictObject({
        input: v.pipe(
          tokenPrice,
          v.description('Price per token of the prompt and the images, in micro-dollars'),
        ),
        thought: v.pipe(tokenPrice, v.description('Price per thinking token, in micro-dollars')),
        image_tokens: v.pipe(tokenCount, v.description('Maximum number of tokens per image')),
        thought_tokens: v.pipe(
          tokenCount,
          v.description('Maximum number of thinking tokens per request. The hold includes their price'),
        ),
      }),
      v.description('Prices of input and thinking tokens, if the provider bills them'),
    ),
  ),
});
export type Prices = v.InferOutput<typeof pricesSchema>;

/** What one request costs: its vendor multiplies these with what it counts. An adapter may keep it in its ref. */
export const tariffSchema = v.object({
  second: microsSchema,
  token: v.exactOptional(v.number()),
  /** For the input images, whose number is known. */
  fixed: microsSchema,
  least: microsSchema,
  /** The prices of tokens that are not the video's, and what is held for them. */
  text: v.exactOptional(v.object({ input: v.number(), thought: v.number(), held: microsSchema })),
});
export type Tariff = Readonly<v.InferOutput<typeof tariffSchema>>;

interface Table<Price> {
  readonly silent: Price;
  readonly with_audio: Price;
  readonly by_resolution?: Partial<Record<Resolution, Omit<Table<Price>, 'by_resolution'>>>;
}

function pick<Price>({ by_resolution, ...usual }: Table<Price>, video: RequestedVideo): Price {
  const { silent, with_audio } = by_resolution?.[formatOf(video.width, video.height).resolution] ?? usual;
  return video.generate_audio ? with_audio : silent;
}

const images = ({ frame_images, input_references }: RequestedVideo) =>
  frame_images.length + input_references.filter(({ kind }) => kind === 'image').length;
const CLIPS: readonly string[] = ['video', ...CONTINUATIONS];
const clips = (video: RequestedVideo) => video.input_references.filter(({ kind }) => CLIPS.includes(kind));
const hasClip = (video: RequestedVideo) => clips(video).length > 0;

export function tariffOf(video: RequestedVideo, prices: Prices): Tariff {
  const { with_clip, images: image, least = NOTHING, tokens, text } = prices;
  const of = <Price>(table: Table<Price> & { readonly with_clip?: Table<Price> }) =>
    pick((hasClip(video) ? table.with_clip : undefined) ?? table, video);
  const given = images(video);
  return {
    second: of({ ...prices, ...defined({ with_clip }) }),
    ...defined({ token: tokens && of(tokens) }),
    fixed: image === undefined ? NOTHING : times(image.price, Math.max(0, given - image.free)),
    least,
    ...defined({ text: text && textTariff(video, given, text) }),
  };
}

/** No token is shorter than a byte of UTF-8. */
function textTariff(
  { prompt }: RequestedVideo,
  images: number,
  { input, thought, image_tokens, thought_tokens }: NonNullable<Prices['text']>,
): Tariff['text'] {
  const tokens = Buffer.byteLength(prompt) + images * image_tokens;
  return { input, thought, held: micros(Math.ceil(tokens * input + thought_tokens * thought)) };
}

const NOTHING = micros(0);

/** What a submit holds: the most that its vendor can bill, whatever length the clips have where that is not known. */
export function priceOf(
  video: RequestedVideo,
  { price_per_second: prices }: { readonly price_per_second: Prices },
): Micros {
  const { second, fixed, least, text } = tariffOf(video, prices);
  const ofClips = times(prices.clip_seconds?.price ?? second, mostClipSeconds(video, prices));
  return most(least, plus(times(second, video.duration_seconds), ofClips, fixed, text?.held ?? NOTHING));
}

function mostClipSeconds(video: RequestedVideo, { clip_seconds: billed }: Prices): number {
  if (billed === undefined || !hasClip(video)) return 0;
  const made = video.duration_seconds;
  const { most: longest, with_output = Number.POSITIVE_INFINITY, least_thirds = 0 } = billed;
  const possible = Math.max(0, Math.min(longest, with_output - made));
  const lengths = clips(video).flatMap(({ seconds }) => (seconds === undefined ? [] : Math.ceil(seconds)));
  const isKnown = lengths.length === clips(video).length;
  const given = isKnown ? lengths.reduce((sum, seconds) => sum + seconds, 0) : possible;
  return Math.max(given, Math.ceil((made * least_thirds) / 3));
}

/** The charge for the seconds that a vendor has counted. */
export const chargeForSeconds = ({ second, fixed, least }: Tariff, seconds: number): Micros =>
  most(least, micros(Math.round(second * seconds) + fixed));

/** What a vendor has counted that bills by tokens. */
interface CountedTokens {
  readonly video: number;
  readonly input?: number | undefined;
  readonly thoughts?: number | undefined;
}

/**
 * The charge for the tokens that a vendor has counted; undefined where the row has no price for them, or a video is said
 * to have none.
 */
export function chargeForTokens(
  { token, text }: Pick<Tariff, 'token' | 'text'>,
  { video, input = 0, thoughts = 0 }: CountedTokens,
): Micros | undefined {
  if (token === undefined || video === 0) return undefined;
  const beside = text === undefined ? 0 : input * text.input + thoughts * text.thought;
  return micros(Math.round(token * video + beside));
}

/** Prices in USD, by the names under which callers see them. */
export function pricingSkus(price: Prices): Record<string, string> {
  const { with_clip, images, least, text } = price;
  return {
    ...secondsOf('duration_seconds', price),
    ...(with_clip === undefined ? {} : secondsOf('duration_seconds_with_video_reference', with_clip)),
    ...clipSeconds(price),
    ...(images === undefined
      ? {}
      : { [images.free === 0 ? 'image' : `image_after_${images.free}`]: dollars(images.price) }),
    ...(text === undefined
      ? {}
      : { prompt_tokens: dollars(text.input), thought_tokens: dollars(text.thought) }),
    ...(least === undefined ? {} : { minimum: dollars(least) }),
  };
}

function clipSeconds({ clip_seconds: clips, ...price }: Prices): Record<string, string> {
  if (clips === undefined) return {};
  const name = 'video_reference_seconds';
  return clips.price === undefined
    ? secondsOf(name, price.with_clip ?? price)
    : { [name]: dollars(clips.price) };
}

function secondsOf(
  name: string,
  { silent, with_audio, by_resolution = {} }: Omit<Prices, 'tokens' | 'text'>,
) {
  return {
    [name]: dollars(silent),
    [`${name}_with_audio`]: dollars(with_audio),
    ...Object.fromEntries(
      Object.entries(by_resolution).flatMap(([resolution, own]) => [
        [`${name}_${resolution}`, dollars(own.silent)],
        [`${name}_with_audio_${resolution}`, dollars(own.with_audio)],
      ]),
    ),
  };
}

/** The shortest decimal. @param price in micro-dollars; that of a token has fractions */
const dollars = (price: number): string => String(price / MICROS_PER_USD);
const MICROS_PER_USD = 1_000_000;
