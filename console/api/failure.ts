/** What the API refused, or could not do. Its message is written for people. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  /** The field at fault, where there is one. */
  readonly path: string | undefined;
  /** Names the request in the deployment's log. */
  readonly requestId: string | undefined;
  readonly resetsAt: string | undefined;

  constructor(
    status: number,
    message: string,
    details: { path?: string; requestId?: string; resetsAt?: string; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.status = status;
    this.path = details.path;
    this.requestId = details.requestId;
    this.resetsAt = details.resetsAt;
  }
}

/** Reads the body of an error, which may be another program's: nothing of it is taken for granted. */
export function failureOf(status: number, body: unknown, requestId?: string): ApiFailure {
  const error = member(body, 'error');
  const metadata = member(error, 'metadata');
  const message = text(member(error, 'message')) ?? `The API answered ${status} and did not say why`;
  const path = text(member(metadata, 'path'));
  const resetsAt = moment(member(metadata, 'resets_at'));
  return new ApiFailure(status, message, {
    ...(path === undefined ? {} : { path }),
    ...(resetsAt === undefined ? {} : { resetsAt }),
    ...(requestId === undefined ? {} : { requestId }),
  });
}

/** What a person reads, whatever went wrong. */
export function inWords(error: unknown): string {
  if (error instanceof ApiFailure) return error.message;
  return 'The API could not be reached. Check the connection, then try again.';
}

/** A refusal stays one; what never arrived, or broke on the other side, may work the next time. */
export function isWorthAnotherTry(error: unknown): boolean {
  return !(error instanceof ApiFailure) || error.status >= 500;
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

const moment = (value: unknown): string | undefined => {
  const iso = text(value);
  return iso === undefined || Number.isNaN(Date.parse(iso)) ? undefined : iso;
};

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
