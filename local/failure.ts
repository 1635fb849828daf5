/** What stops a local run. The message is one sentence for its user: what is wrong and what to do. */
export class LocalRunError extends Error {
  override readonly name = 'LocalRunError';
  /** What a tool printed before it failed, shown below the sentence. */
  readonly output: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly output?: string } = {}) {
    super(message, options);
    this.output = options.output;
  }
}
