import { InvalidRequest, PayloadTooLarge } from '../../http/errors.ts';
import { createTypeDetector, UnsupportedFileType } from '../type-detection/type-detector.ts';
import { LARGEST_FILE, tooLarge } from './size-limits.ts';

export interface Verdict {
  readonly size_bytes: number;
  readonly mime_type: string;
}

/** Looks at a file on its way to storage; counts its bytes and finds its type from every one of them. */
export class InspectedFile {
  readonly #limit: number;
  readonly #detector = createTypeDetector();
  #size = 0;

  constructor(limit = LARGEST_FILE) {
    this.#limit = limit;
  }

  /** @throws PayloadTooLarge */
  write(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit) throw new PayloadTooLarge(tooLarge(this.#limit));
    this.#detector.write(chunk);
  }

  /**
   * Once the whole file has passed.
   * @throws InvalidRequest for an empty file or a type that is not accepted.
   */
  async verdict(): Promise<Verdict> {
    if (this.#size === 0) throw new InvalidRequest('The file is empty', { metadata: { path: 'file' } });
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
