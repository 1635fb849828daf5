import { deflateRawSync, inflateRawSync } from 'node:zlib';
import * as v from 'valibot';

/** More than a row has room for. */
const LONGEST_BODY = 1024 * 1024;

/** A body says the same ids again and again. Packed, it leaves its row below a kilobyte, which is one write unit. */
export const packedBody = (body: string): Uint8Array => deflateRawSync(body);

/** The body of a row, as receivers get it. Rows of older versions have the text itself. */
export const bodySchema = v.union([
  v.string(),
  v.pipe(
    v.instance(Uint8Array),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      try {
        return inflateRawSync(dataset.value, { maxOutputLength: LONGEST_BODY }).toString();
      } catch {
        addIssue({ message: 'Not a packed body' });
        return NEVER;
      }
    }),
  ),
]);
