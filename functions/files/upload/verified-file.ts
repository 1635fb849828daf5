import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { ByteSink } from '../../byte-sink.ts';
import { invalidField } from '../../http/invalid-field.ts';
import { type ClaimedDigest, DIGESTS, type DigestAlgorithm } from './claimed-digests.ts';

/** Passes a file on to another sink, and ends that sink only if the bytes have the digests that their sender claims. */
export class VerifiedFile<Result> implements ByteSink<Result> {
  readonly #claims: readonly ClaimedDigest[];
  readonly #next: ByteSink<Result>;
  /** Only claimed digests are computed, because each costs time for every byte. */
  readonly #running: ReadonlyMap<DigestAlgorithm, RunningDigest>;

  constructor(claims: readonly ClaimedDigest[], next: ByteSink<Result>) {
    this.#claims = claims;
    this.#next = next;
    this.#running = new Map(claims.map(({ algorithm }) => [algorithm, runningDigest(algorithm)]));
  }

  write(bytes: Uint8Array): Promise<void> | undefined {
    for (const running of this.#running.values()) running.update(bytes);
    return this.#next.write(bytes);
  }

  /** @throws InvalidRequest if a digest differs */
  async end(): Promise<Result> {
    const found = new Map([...this.#running].map(([algorithm, running]) => [algorithm, running.digest()]));
    for (const { field, algorithm, encoding, value } of this.#claims) {
      const actual = found.get(algorithm)?.toString(encoding);
      if (actual === value) continue;
      throw invalidField(field, `the ${DIGESTS[algorithm].name} of the file is ${actual}, not ${value}`);
    }
    return this.#next.end();
  }

  abort(reason: unknown): Promise<void> {
    return this.#next.abort(reason);
  }
}

interface RunningDigest {
  update(bytes: Uint8Array): unknown;
  digest(): Buffer;
}

const runningDigest = (algorithm: DigestAlgorithm): RunningDigest =>
  algorithm === 'crc32' ? new RunningCrc32() : createHash(algorithm);

class RunningCrc32 implements RunningDigest {
  #sum = 0;

  update(bytes: Uint8Array): void {
    this.#sum = crc32(bytes, this.#sum);
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(this.#sum);
    return bytes;
  }
}
