import { fileTypeFromBuffer } from 'file-type';
import { s3 } from '../../aws/s3.ts';
import { type InputObject, InputObjects } from './input-objects.ts';

/** Keeps an image; undefined when the bytes are none. */
export async function keepImage(
  object: InputObject,
  bytes: Uint8Array,
  objects: Pick<InputObjects, 'put'> = new InputObjects(s3),
): Promise<string | undefined> {
  const type = await fileTypeFromBuffer(bytes);
  if (type === undefined || !type.mime.startsWith('image/')) return undefined;
  await objects.put(object, bytes, type.mime);
  return type.mime;
}
