/** A result that cannot be fetched now: its address has expired, or the transfer broke off for good. */
export class ResultUnavailable extends Error {
  override readonly name = 'ResultUnavailable';
  /** How long to leave it alone; 0 where it may be asked for as soon as usual. */
  readonly retryAfterSeconds: number;

  constructor(
    message: string,
    { cause, retryAfterSeconds = 0 }: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause });
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
