import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { hashKey } from '../../functions/keys/key-format.ts';
import { KeyStore } from '../../functions/keys/key-store.ts';
import { redactText } from '../../functions/telemetry/redaction.ts';
import type { StackOutputs } from '../deployment/deploy.ts';
import type { AnsweredRequest } from '../edge/answered-request.ts';
import type { AwsAccess } from '../emulator/aws-access.ts';
import { type Style, visible } from '../terminal/text.ts';

const ENDPOINT_COLUMNS = 40;

/** A line for people: method, path, status, milliseconds, and the name of the key. */
export function requestLine(request: AnsweredRequest, key: string, style: Style): string {
  const { method, path, status, milliseconds } = request;
  return [
    style('cyan', visible(redactText(`${method} ${path}`)).padEnd(ENDPOINT_COLUMNS)),
    style(colourOf(status), String(status ?? 'left')),
    style('dim', `${Math.round(milliseconds)} ms`.padStart(8)),
    style('dim', visible(key)),
  ].join(' ');
}

function colourOf(status = 499): Parameters<Style>[0] {
  if (status < 400) return 'green';
  return status < 500 ? 'yellow' : 'red';
}

const REMEMBERED = 1_000;

/** The names of the keys in requests, each as it was when the key was first seen. */
export class KeyNames {
  readonly #find: (hash: string) => Promise<{ readonly name: string } | undefined>;
  readonly #known = new Map<string, string>();

  constructor(find: (hash: string) => Promise<{ readonly name: string } | undefined>) {
    this.#find = find;
  }

  /** @param authorization the request's header */
  async nameOf(authorization: string | undefined): Promise<string> {
    if (authorization === undefined) return 'no key';
    const hash = hashKey(authorization.replace(/^bearer +/i, ''));
    const known = this.#known.get(hash);
    if (known !== undefined) return known;
    const found = await this.#find(hash).catch(() => undefined);
    if (found === undefined) return 'unknown key';
    if (this.#known.size >= REMEMBERED) this.#known.clear();
    this.#known.set(hash, found.name);
    return found.name;
  }
}

/** The key names of a running stage. */
export function keyNamesOf({ aws, outputs }: { aws: AwsAccess; outputs: StackOutputs }): KeyNames {
  const keys = new KeyStore(DynamoDBDocumentClient.from(new DynamoDBClient({ ...aws })), outputs.KeysTable);
  return new KeyNames((hash) => keys.find(hash));
}
