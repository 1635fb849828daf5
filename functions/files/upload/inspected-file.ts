import { Transform, type TransformCallback } from 'node:stream';
import { InvalidRequest, PayloadTooLarge } from '../../http/errors.ts';
import { createTypeDetector, UnsupportedFileType } from '../type-detection/type-detector.ts';
import { LARGEST_FILE, tooLarge } from './size-limits.ts';

/** Passes a file through on its way to storage; counts its bytes and finds its type from every one of them. */
export class InspectedFile extends Transform {
  readonly #limit: number;
  readonly #detector = createTypeDetector();
  #size = 0;

  constructor(limit = LARGEST_FILE) {
    super();
    this.#limit = limit;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit) {
      done(new PayloadTooLarge(tooLarge(this.#limit)));
      return;
    }
    this.#detector.write(chunk);
    done(null, chunk);
  }

  /**
   * Once the whole file has passed.
   * @throws InvalidRequest for an empty file or a type that is not accepted.
   */
  async verdict(): Promise<{ size_bytes: number; mime_type: string }> {
    if (this.#size === 0) throw new InvalidRequest('The file is empty');
    try {
      return { size_bytes: this.#size, mime_type: (await this.#detector.end()).mimeType };
    } catch (error) {
      if (!(error instanceof UnsupportedFileType)) throw error;
      throw new InvalidRequest(error.message, {
        metadata: { path: 'file', supported: error.accepted, found: error.found },
        cause: error,
      });
    }
  }
}
