import { classifyPackage } from '../../functions/files/type-detection/content-types.ts';
import { readPartHeader } from '../../functions/files/upload/multipart/part-header.ts';
import { parseJsonBody } from '../../functions/http/json-body.ts';
import { presentable } from '../../functions/upstream/upstream-error.ts';

/** What reads bytes from outside, as far into them as it goes. A refusal is an answer. */
export const STEPS: Readonly<Record<string, (bytes: Buffer) => unknown>> = {
  'content types': (bytes) => classifyPackage(bytes.toString('latin1'), ['word/document.xml']),
  'a part header': (bytes) => readPartHeader(bytes),
  "a vendor's error": (bytes) => presentable(bytes.toString('latin1')),
  'a JSON body': (bytes) => parseJsonBody(bytes, 'application/json', bytes.length),
};
