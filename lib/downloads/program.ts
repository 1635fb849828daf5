import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATTACHMENT } from '../../functions/downloads/attachment.ts';

const SOURCE = join(import.meta.dirname, 'as-attachment.js');

/** The program that CloudFront runs on each response with a file. */
export const downloadsProgram = (): string =>
  `const SETTINGS = ${JSON.stringify({ attachment: ATTACHMENT })};\n${readFileSync(SOURCE, 'utf8')}`;
