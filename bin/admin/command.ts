import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** What one stage's stack says of itself: where its tables are. */
export interface Deployment {
  readonly client: DynamoDBDocumentClient;
  /** @throws CommandFailed when the stack has no such output */
  output(name: string): string;
}

/** What commands are given to work with. */
export interface Admin {
  open(stage: string): Promise<Deployment>;
  /** One line for the user. */
  print(line: string): void;
  now(): Date;
  random(size: number): Uint8Array;
}

/** A subcommand of `npm run admin`. */
export interface Command {
  /** What follows `npm run admin -- `. */
  readonly usage: string;
  /** What it does. */
  readonly about: string;
  /** A line for each option of its own. */
  readonly options: readonly string[];
  run(args: readonly string[], admin: Admin): Promise<void>;
}

/** What was asked for cannot be done, for a reason that the message tells. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
