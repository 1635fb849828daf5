import { fileTypeFromBuffer } from 'file-type';
import { s3 } from '../../aws/s3.ts';
import { type InputObject, InputObjects } from './input-objects.ts';

/** Keeps an image; undefined when the bytes are none. */
export async function keepImage(
  object: InputObject,
  bytes: Uint8Array,
  objects: Pick<InputObjects, 'put'> = new InputObjects(s3),
): Promise<string | undefined> {
  const type = await imageType(bytes);
  if (type !== undefined) await objects.put(object, bytes, type);
  return type;
}

/** By the bytes; undefined when they are no image. */
export async function imageType(bytes: Uint8Array): Promise<string | undefined> {
  const type = await fileTypeFromBuffer(bytes);
  return type?.mime.startsWith('image/') ? type.mime : undefined;
}
