import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import { InvalidRequest } from '../../http/errors.ts';
import { MalformedMultipart } from './multipart/malformed-multipart.ts';
import type { MultipartEvent } from './multipart/multipart-scanner.ts';
import { readPartHeader } from './multipart/part-header.ts';
import { checkedPurpose } from './purpose.ts';

const MOST_PARTS = 64;
/** Longer than any purpose there is; the rest of a field is not kept. */
const LONGEST_PURPOSE = 256;

/** What a form says of its file. */
export interface FilePart {
  readonly filename: string;
  /** As the client says, which nobody has to believe. */
  readonly contentType: string | undefined;
  /** May come after the file: settles when the form has ended well, and fails when it is refused. */
  readonly purpose: Promise<string>;
}

export interface UploadForm<Received> {
  readonly filename: string;
  readonly purpose: string;
  readonly file: Received;
}

type Sink = 'file' | 'purpose' | 'nothing';

/** Sorts a form's parts: one goes to `receive`, one is the purpose, all others are read and dropped. */
export class FormReader<Received> {
  readonly #receive: (file: Readable, part: FilePart) => Promise<Received>;
  readonly #file = new PassThrough();
  readonly #purposeKnown = Promise.withResolvers<string>();
  #received: Promise<Received> | undefined;
  #failure: { readonly cause: unknown } | undefined;
  #filename = '';
  #purpose: Buffer | undefined;
  #sink: Sink = 'nothing';
  #parts = 0;

  constructor(receive: (file: Readable, part: FilePart) => Promise<Received>) {
    this.#receive = receive;
    // Not everyone who receives a file waits for its purpose.
    this.#purposeKnown.promise.catch(() => undefined);
    // Whoever reads it hears of its end; where nobody does, it must not end the process.
    this.#file.on('error', () => undefined);
  }

  /** Settles when there is room for more. @throws InvalidRequest, or what `receive` failed with */
  async take(event: MultipartEvent): Promise<void> {
    if (event.kind === 'part') this.#sink = this.#begin(event.header);
    else if (this.#sink === 'purpose' && event.kind === 'data') this.#addToPurpose(event.bytes);
    else if (this.#sink === 'file')
      await (event.kind === 'data' ? this.#write(event.bytes) : this.#file.end());
    if (this.#failure !== undefined) throw this.#failure.cause;
  }

  /** @throws InvalidRequest, or what `receive` failed with */
  async finish(): Promise<UploadForm<Received>> {
    if (this.#received === undefined) throw new InvalidRequest('The form must hold one part named file');
    const purpose = checkedPurpose(this.#purpose?.toString());
    this.#purposeKnown.resolve(purpose);
    return { filename: this.#filename, purpose, file: await this.#received };
  }

  /** Settles when `receive` has noticed that there is nothing more to come. */
  async abandon(error: unknown): Promise<void> {
    this.#purposeKnown.reject(error);
    if (this.#received === undefined) return;
    this.#file.destroy(new Error('the form was refused', { cause: error }));
    await this.#received.catch(() => undefined);
  }

  #begin(header: Buffer): Sink {
    if (++this.#parts > MOST_PARTS) {
      throw new MalformedMultipart(`the form must hold at most ${MOST_PARTS} parts`);
    }
    const { name, filename, contentType } = readPartHeader(header);
    if (name === 'purpose' && filename === undefined) {
      this.#purpose = Buffer.alloc(0);
      return 'purpose';
    }
    if (name !== 'file') return 'nothing';
    if (filename === undefined) {
      throw new InvalidRequest('The part named file must be a file: give it a filename');
    }
    if (this.#received !== undefined) {
      throw new InvalidRequest('The form must hold one part named file, not several');
    }
    this.#filename = filename;
    this.#received = this.#receive(this.#file, {
      filename,
      contentType,
      purpose: this.#purposeKnown.promise,
    });
    this.#received.catch((cause: unknown) => {
      this.#failure = { cause };
    });
    return 'file';
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#failure !== undefined || this.#file.write(bytes)) return;
    // Nobody would ever ask for more after a failure; `take` throws it.
    await Promise.race([once(this.#file, 'drain'), this.#received]).catch(() => undefined);
  }

  #addToPurpose(bytes: Buffer): void {
    const kept = this.#purpose ?? Buffer.alloc(0);
    this.#purpose = Buffer.concat([kept, bytes.subarray(0, LONGEST_PURPOSE - kept.length)]);
  }
}
