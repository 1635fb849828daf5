/** What every command can use. */
export interface Cli {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof fetch;
  readonly now: () => Date;
  /** Rejects when the command is interrupted. */
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly random: (size: number) => Uint8Array;
  /** Aborted by Ctrl-C, and by all other signals that ask a process to end. */
  readonly interrupted: AbortSignal;
  /** Undefined if there is no terminal to ask at. */
  readonly ask: (question: string) => Promise<string | undefined>;
  readonly stdout: Stream;
  readonly stderr: Stream;
  /** Opens a file with the user's default program. */
  readonly openFile: (path: string) => Promise<void>;
}

export interface Stream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  hasColors?(): boolean;
  write(text: string): unknown;
}

/** The exit codes of commands; docs/cli.md explains them to users. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  unavailable: 3,
  noVideo: 4,
  differs: 5,
  unconfirmed: 6,
  interrupted: 130,
} as const;

/** A command cannot do what was asked; the message says why. */
export class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed';
}

/** The command line is wrong. */
export class UsageError extends CommandFailed {
  override readonly name = 'UsageError';
}

/** The job ended without a video. */
export class NoVideo extends CommandFailed {
  override readonly name = 'NoVideo';
}

/** Something is otherwise than it should be; what it is has been printed. */
export class Differs extends CommandFailed {
  override readonly name = 'Differs';
}

/** The user has not agreed, or could not be asked; nothing was done. */
export class Unconfirmed extends CommandFailed {
  override readonly name = 'Unconfirmed';
}

/** The user has stopped the command before its end. */
export class Interrupted extends CommandFailed {
  override readonly name = 'Interrupted';
}
