/**
 * `size`, and `resolution` with `aspect_ratio`, are two spellings of one thing. `Np` has a short side of N; the K names
 * have the short sides of the usual formats of that name. The long side follows from the ratio, rounded to an even
 * number, because 4:2:0 video has no odd sides.
 */
export const RESOLUTIONS = ['360p', '480p', '720p', '768p', '1080p', '1K', '2K', '4K'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export const ASPECT_RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9', '9:21'] as const;
export type AspectRatio = (typeof ASPECT_RATIOS)[number];

const SHORT_SIDES: Readonly<Record<Resolution, number>> = {
  '360p': 360,
  '480p': 480,
  '720p': 720,
  '768p': 768,
  '1080p': 1080,
  '1K': 1024,
  '2K': 1440,
  '4K': 2160,
};

export interface FrameFormat {
  readonly resolution: Resolution;
  readonly aspectRatio: AspectRatio;
  readonly width: number;
  readonly height: number;
}

export function frameFormat(resolution: Resolution, aspectRatio: AspectRatio): FrameFormat {
  const [across = 1, down = 1] = aspectRatio.split(':').map(Number);
  const short = SHORT_SIDES[resolution];
  const long = 2 * Math.round((short * Math.max(across, down)) / Math.min(across, down) / 2);
  const [width, height] = across >= down ? [long, short] : [short, long];
  return { resolution, aspectRatio, width, height };
}

export const sizeName = ({ width, height }: Pick<FrameFormat, 'width' | 'height'>): string =>
  `${width}x${height}`;

/** Every format that a model with these resolutions and ratios can make. */
export function frameFormats(
  resolutions: readonly Resolution[],
  aspectRatios: readonly AspectRatio[],
): FrameFormat[] {
  return resolutions.flatMap((resolution) => aspectRatios.map((ratio) => frameFormat(resolution, ratio)));
}

/** A vendor's pixels for a name may be some more than ours. */
const ROUNDED = 1.1;

/**
 * The format of a video that has the shape and size of another: of the nearest ratio, and the smallest that has as many
 * pixels, because more of them may cost more.
 */
export function formatLike(
  { width, height }: Pick<FrameFormat, 'width' | 'height'>,
  resolutions: readonly Resolution[],
  aspectRatios: readonly AspectRatio[],
): FrameFormat | undefined {
  const distance = (each: FrameFormat) => Math.abs(Math.log((each.width * height) / (each.height * width)));
  const area = (each: Pick<FrameFormat, 'width' | 'height'>) => each.width * each.height;
  const formats = frameFormats(resolutions, aspectRatios).toSorted((a, b) => area(a) - area(b));
  const nearest = Math.min(...formats.map(distance));
  const alike = formats.filter((each) => distance(each) < nearest + EQUAL);
  return alike.find((each) => area(each) * ROUNDED >= width * height) ?? alike.at(-1);
}

/** The sides are rounded, so one ratio is not exactly the same in each resolution. */
const EQUAL = 0.01;

/**
 * What some models make of two names, where that differs from ours: Seedance's sizes, by its vendor's table, and the tall
 * and wide sizes of OpenAI's API.
 */
export const OTHER_SIZES = [
  '752x560',
  '560x752',
  '640x640',
  '992x432',
  '1112x834',
  '834x1112',
  '960x960',
  '1470x630',
  '1792x1024',
  '1024x1792',
] as const;
export type OtherSize = (typeof OTHER_SIZES)[number];

const NAMES_OF_OTHERS: Readonly<Record<OtherSize, readonly [Resolution, AspectRatio]>> = {
  '752x560': ['480p', '4:3'],
  '560x752': ['480p', '3:4'],
  '640x640': ['480p', '1:1'],
  '992x432': ['480p', '21:9'],
  '1112x834': ['720p', '4:3'],
  '834x1112': ['720p', '3:4'],
  '960x960': ['720p', '1:1'],
  '1470x630': ['720p', '21:9'],
  '1792x1024': ['1K', '16:9'],
  '1024x1792': ['1K', '9:16'],
};

function otherFormat(size: OtherSize): FrameFormat {
  const [resolution, aspectRatio] = NAMES_OF_OTHERS[size];
  const [width = 0, height = 0] = size.split('x').map(Number);
  return { resolution, aspectRatio, width, height };
}

/** The sides of each pair of names are unique, and no other size has them. */
const BY_SIZE: ReadonlyMap<string, FrameFormat> = new Map(
  [...frameFormats(RESOLUTIONS, ASPECT_RATIOS), ...OTHER_SIZES.map(otherFormat)].map((format) => [
    sizeName(format),
    format,
  ]),
);

/** Undefined for a size that no model makes. */
export const formatNamed = (size: string): FrameFormat | undefined => BY_SIZE.get(size);

/** The format of a video by its sides. @throws RangeError for sides that no model makes. */
export function formatOf(width: number, height: number): FrameFormat {
  const format = formatNamed(`${width}x${height}`);
  if (format === undefined) throw new RangeError(`${width}x${height} is not a known format`);
  return format;
}
