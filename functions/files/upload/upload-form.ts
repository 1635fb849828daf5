import type { Readable } from 'node:stream';
import type { ByteSink } from '../../byte-streams.ts';
import type { Pace } from '../../fair-shares.ts';
import { InvalidRequest } from '../../http/errors.ts';
import { type TellUnknown, unknownNames, type Warn } from '../../http/unknown-names.ts';
import { checkedPurpose, EXPIRY_FIELDS, expirySeconds } from '../file.ts';
import { HeadWindow } from '../type-detection/byte-windows.ts';
import { type ClaimedDigest, claimedDigests, DigestCheck } from './claimed-digests.ts';
import { readBoundary, readPartHeader } from './multipart-headers.ts';
import { MalformedMultipart, type MultipartEvent, MultipartScanner } from './multipart-scanner.ts';
import { receiveBody } from './receive-body.ts';

export interface IncomingForm {
  readonly body: Readable;
  readonly contentType: string | undefined;
  /** The name of the part that is the file. Beside `data`, no field says anything of it. @default file */
  readonly part?: 'file' | 'data' | undefined;
  /** What the request's headers say of its file. */
  readonly claims?: readonly ClaimedDigest[];
  /** At which the body must come; any, where it is here already. */
  readonly pace?: Pace | undefined;
  /** Told of parts that nothing reads. @default nobody is */
  readonly warn?: Warn;
}

/**
 * Reads a multipart body as it arrives and hands its one `file` part to the sink that `begin` gives for it. That
 * sink is ended only behind the closing delimiter: a file whose form was cut off is not a file. Settles only after
 * the sink has.
 * @throws InvalidRequest for a body that is not such a form, PayloadTooLarge, or what the sink throws
 */
export async function readUploadForm<Received>(
  { body, contentType, part, claims = [], pace, warn = () => undefined }: IncomingForm,
  begin: (part: FilePart) => ByteSink<Received>,
): Promise<UploadForm<Received>> {
  // What befalls it when nobody reads any more must not end the process.
  body.on('error', () => undefined);
  const form = new FormReader(readBoundary(contentType, part), begin, { part, claims, warn });
  try {
    await receiveBody(body, (chunk) => form.take(chunk), { pace });
    return await form.finish();
  } catch (error) {
    await form.abandon(error);
    throw error;
  }
}

const MOST_PARTS = 64;
/** The fields that count; all others are read and dropped. */
const FIELDS: readonly string[] = ['purpose', ...EXPIRY_FIELDS];
/** Longer than any that would do; the rest of a field is not kept. */
const LONGEST_FIELD = 256;

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
  /** How long the file is to be kept after its upload; undefined for as long as nobody deletes it. */
  readonly expiresInSeconds: number | undefined;
  /** Of the file, in base64, where its sender has said what it must be; it is. */
  readonly sha256: string | undefined;
  readonly file: Received;
}

interface FormNotes {
  readonly part?: IncomingForm['part'];
  /** What the request says of its file; the header of the file's part may say more. */
  readonly claims: readonly ClaimedDigest[];
  readonly warn: Warn;
}

interface BegunFile<Received> {
  readonly filename: string;
  readonly digests: DigestCheck;
  readonly sink: ByteSink<Received>;
}

/** Takes what a part holds. A promise asks to wait for room. */
type TakeContent = (bytes: Buffer) => Promise<void> | undefined;

/** Sorts a form's parts: one is the file, some say of it what is to be kept, all others are read and dropped. */
export class FormReader<Received> {
  readonly #scanner: MultipartScanner;
  readonly #beginFile: (part: FilePart) => ByteSink<Received>;
  readonly #claims: readonly ClaimedDigest[];
  /** The name of the part that is the file, and those of the fields that count beside it. */
  readonly #part: string;
  readonly #named: readonly string[];
  readonly #tellUnknown: TellUnknown;
  readonly #purposeKnown = Promise.withResolvers<string>();
  readonly #fields = new Map<string, HeadWindow>();
  #file: BegunFile<Received> | undefined;
  #takeContent: TakeContent = () => undefined;
  #parts = 0;

  constructor(
    boundary: string,
    beginFile: (part: FilePart) => ByteSink<Received>,
    { part = 'file', claims, warn }: FormNotes,
  ) {
    this.#scanner = new MultipartScanner(boundary);
    this.#beginFile = beginFile;
    this.#claims = claims;
    this.#part = part;
    this.#named = part === 'file' ? FIELDS : [];
    this.#tellUnknown = unknownNames('field', warn);
    // Not everyone who receives a file waits for its purpose.
    this.#purposeKnown.promise.catch(() => undefined);
  }

  /** A promise asks to wait for room. @throws InvalidRequest, or what the file's sink does */
  take(chunk: Buffer): Promise<void> | undefined {
    let room: Promise<void> | undefined;
    for (const event of this.#scanner.push(chunk)) room = this.#sort(event) ?? room;
    return room;
  }

  /** @throws InvalidRequest, or what the file's sink does */
  async finish(): Promise<UploadForm<Received>> {
    this.#scanner.end();
    if (this.#file === undefined) throw this.#wrong(`The form must have one part named ${this.#part}`);
    const fields = new Map([...this.#fields].map(([name, { bytes }]) => [name, bytes.toString()]));
    const purpose = checkedPurpose(fields.get('purpose'));
    const expiresInSeconds = expirySeconds(fields);
    this.#purposeKnown.resolve(purpose);
    const { filename, digests, sink } = this.#file;
    const sha256 = digests.end().get('sha256')?.toString('base64');
    return { filename, purpose, expiresInSeconds, sha256, file: await sink.end() };
  }

  /** Settles when the file's sink has noticed that there is nothing more to come. */
  async abandon(error: unknown): Promise<void> {
    this.#purposeKnown.reject(error);
    await this.#file?.sink.abort(error);
  }

  #sort(event: MultipartEvent): Promise<void> | undefined {
    if (event.kind === 'data') return this.#takeContent(event.bytes);
    if (event.kind === 'part') this.#takeContent = this.#begin(event.header);
    return undefined;
  }

  #begin(header: Buffer): TakeContent {
    if (++this.#parts > MOST_PARTS) {
      throw new MalformedMultipart(`the form must have at most ${MOST_PARTS} parts`);
    }
    const { name, filename, contentType, fields } = readPartHeader(header);
    if (this.#named.includes(name) && filename === undefined) {
      const field = new HeadWindow(LONGEST_FIELD);
      this.#fields.set(name, field);
      return (bytes) => {
        field.write(bytes);
        return undefined;
      };
    }
    const known = [this.#part, ...this.#named];
    if (!known.includes(name)) this.#tellUnknown(name, known);
    if (name !== this.#part) return () => undefined;
    if (filename === undefined) {
      throw this.#wrong(`The part named ${name} must be a file; give it a filename`);
    }
    if (this.#file !== undefined) throw this.#wrong(`The form must have one part named ${name}, not several`);
    const digests = new DigestCheck([...this.#claims, ...claimedDigests(fields)]);
    const sink = this.#beginFile({ filename, contentType, purpose: this.#purposeKnown.promise });
    this.#file = { filename, digests, sink };
    return (bytes) => {
      digests.update(bytes);
      return sink.write(bytes);
    };
  }

  #wrong(why: string): InvalidRequest {
    return new InvalidRequest(why, { metadata: { path: this.#part } });
  }
}
