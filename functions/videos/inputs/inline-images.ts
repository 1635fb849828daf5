import { fileTypeFromBuffer } from 'file-type';
import type { InputObject, InputObjects } from './input-objects.ts';
import type { InlineImage } from './take-inputs.ts';

/** The media type of an image; undefined when the bytes are not an image. */
export async function imageType(bytes: Uint8Array): Promise<string | undefined> {
  const type = await fileTypeFromBuffer(bytes);
  return type?.mime.startsWith('image/') ? type.mime : undefined;
}

export interface KeepImagesPorts {
  readonly bucket: string;
  readonly objects: Pick<InputObjects, 'put' | 'remove'>;
  /** Whether an error of the work proves that nobody will need the images. */
  readonly wasRefused: (error: unknown) => boolean;
  /** Reports images that could not be removed; the bucket deletes them after some days. */
  readonly onRemains: (error: unknown) => void;
}

/**
 * Keeps images for the work that needs them, and removes them when the work is refused. When its outcome is unknown
 * they stay, because it may have succeeded.
 */
export async function keepingImages<Result>(
  images: readonly InlineImage[],
  { bucket, objects, wasRefused, onRemains }: KeepImagesPorts,
  work: () => Promise<Result>,
): Promise<Result> {
  const objectOf = ({ key }: InlineImage): InputObject => ({ bucket, key });
  const removeAll = () =>
    Promise.all(images.map((image) => objects.remove(objectOf(image)))).catch(onRemains);
  // All of them must end first, or one could still be on its way when they are removed.
  const puts = await Promise.allSettled(
    images.map((image) => objects.put(objectOf(image), image.bytes, image.mediaType)),
  );
  const failed = puts.find((put) => put.status === 'rejected');
  if (failed !== undefined) {
    await removeAll();
    throw failed.reason;
  }
  try {
    return await work();
  } catch (error) {
    if (wasRefused(error)) await removeAll();
    throw error;
  }
}
