import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { ByteSink } from '../../byte-streams.ts';

/** A file that is read as a stream, by what `fetch` sends on. */
export class StreamedFile<Received> implements ByteSink<Received> {
  readonly #stream = new PassThrough();
  readonly #received: Promise<Received>;
  #failure: { readonly cause: unknown } | undefined;
  #isOver = false;

  constructor(receive: (file: Readable) => Promise<Received>) {
    // Whoever reads it hears of its end; where nobody does, it must not end the process.
    this.#stream.on('error', () => undefined);
    this.#received = receive(this.#stream);
    this.#received
      .catch((cause: unknown) => {
        this.#failure = { cause };
      })
      .finally(() => {
        this.#isOver = true;
      });
  }

  /** @throws what `receive` has failed with */
  write(bytes: Uint8Array): Promise<void> | undefined {
    if (this.#failure !== undefined) throw this.#failure.cause;
    // Nobody would ever ask for more.
    if (this.#isOver || this.#stream.write(Buffer.from(bytes))) return undefined;
    const settled = Promise.race([once(this.#stream, 'drain'), this.#received]);
    return settled.then(
      () => undefined,
      () => undefined,
    );
  }

  end(): Promise<Received> {
    this.#stream.end();
    return this.#received;
  }

  /** Settles when `receive` has noticed. */
  async abort(reason: unknown): Promise<void> {
    this.#stream.destroy(new Error('the form was refused', { cause: reason }));
    await this.#received.catch(() => undefined);
  }
}
