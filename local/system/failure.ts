/** Stops a local run. Its message is one sentence for the user: what is wrong and what to do. */
export class LocalRunError extends Error {
  override readonly name = 'LocalRunError';
  /** The output of a failed tool, shown below the sentence. */
  readonly output: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly output?: string } = {}) {
    super(message, options);
    this.output = options.output;
  }
}

/** The code of a system error, such as `EADDRINUSE`. */
export function errorCode(error: unknown): string | undefined {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : undefined;
}
