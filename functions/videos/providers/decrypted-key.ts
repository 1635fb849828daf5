import { hiding } from '../../upstream/upstream-error.ts';

/**
 * A provider's key. It becomes the headers of a request to the provider's own origin and nothing else: no other code can
 * read it, and neither JSON nor a log line of this object holds it.
 */
export class DecryptedKey {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** @throws Error where the request would leave the provider's own origin */
  headersFor(
    url: URL,
    own: URL,
    write: (secret: string) => Readonly<Record<string, string>>,
  ): Readonly<Record<string, string>> {
    if (url.origin !== own.origin)
      throw new Error(`A provider key was about to be sent to ${url.origin} instead of ${own.origin}`);
    return write(this.#secret);
  }

  readonly hideIn = (text: string): string => hiding(this.#secret)(text);
}
