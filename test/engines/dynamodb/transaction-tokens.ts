import { ServiceError } from '../service.ts';

/** How long the service remembers a transaction's token. */
const KNOWN_MILLISECONDS = 10 * 60_000;

interface Known {
  readonly request: string;
  readonly at: number;
  isDone: boolean;
}

/** Remembers recent transactions, so that a repeated one takes effect only once. */
export class TransactionTokens {
  readonly #known = new Map<string, Known>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Runs the transaction unless it ran before. @throws ServiceError if the token belongs to another transaction */
  async once(token: string | undefined, asked: object, run: () => Promise<void>): Promise<void> {
    if (token === undefined) return run();
    const request = JSON.stringify(asked);
    const known = this.#known.get(token);
    if (known !== undefined && this.#now() - known.at < KNOWN_MILLISECONDS) {
      assertSame(known, request);
      return;
    }
    const entry: Known = { request, at: this.#now(), isDone: false };
    this.#known.set(token, entry);
    try {
      await run();
      entry.isDone = true;
    } catch (error) {
      this.#known.delete(token);
      throw error;
    }
  }
}

function assertSame(known: Known, request: string): void {
  if (known.request !== request) {
    throw new ServiceError(
      'IdempotentParameterMismatchException',
      'The provided request token has already been used for a different request',
    );
  }
  if (known.isDone) return;
  throw new ServiceError(
    'TransactionInProgressException',
    'The transaction with the given request token is already in progress',
  );
}
