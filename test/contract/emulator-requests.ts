import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { request as openRequest } from 'node:http';
import { text } from 'node:stream/consumers';
import { Sha256 } from '@smithy/core/checksum';
import { SignatureV4 } from '@smithy/signature-v4';
import { stage } from './stage.ts';

export const EMULATOR = new URL(stage.aws.endpoint);

export interface EmulatorRequest {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface EmulatorAnswer {
  readonly status: number;
  readonly body: string;
  /** The CORS headers in the answer, by name. */
  readonly cors: readonly string[];
}

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Sends a request with any `Host`; `fetch` would set its own. */
export async function send({ method, path, headers = {}, body }: EmulatorRequest): Promise<EmulatorAnswer> {
  const { hostname, port } = EMULATOR;
  const outgoing = openRequest({ hostname, port, method, path, headers });
  outgoing.end(body);
  const [answer] = await once(outgoing, 'response');
  return {
    status: answer.statusCode,
    body: await text(answer),
    cors: Object.keys(answer.headers).filter((name) => name.startsWith('access-control-')),
  };
}

interface SigningOptions {
  /** @default the emulator's host */
  readonly host?: string;
  /** @default now */
  readonly signingDate?: Date;
  /** Whether a header states the body's hash. SDKs send it and the AWS CLI does not. @default true */
  readonly declareBody?: boolean;
}

/** Adds a signature in the headers. */
export async function signed(
  request: EmulatorRequest,
  service: string,
  credentials: Credentials,
  { host = EMULATOR.host, signingDate = new Date(), declareBody = true }: SigningOptions = {},
): Promise<EmulatorRequest> {
  const { headers } = await signerOf(service, credentials, declareBody).sign(forSigning(request, host), {
    signingDate,
  });
  return { ...request, headers };
}

/** Adds a signature in the query, as a signed link has it. */
export async function linked(
  request: EmulatorRequest,
  service: string,
  credentials: Credentials,
  { host = EMULATOR.host, signingDate = new Date() }: SigningOptions = {},
): Promise<EmulatorRequest> {
  const headers = { ...request.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
  const { query = {} } = await signerOf(service, credentials, true).presign(
    forSigning({ ...request, headers }, host),
    { signingDate, expiresIn: 300 },
  );
  const [path] = request.path.split('?');
  const parameters = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  return { ...request, path: `${path}?${parameters.join('&')}` };
}

function signerOf(service: string, credentials: Credentials, applyChecksum: boolean): SignatureV4 {
  const uriEscapePath = service !== 's3';
  const { region } = stage.aws;
  return new SignatureV4({ service, region, credentials, sha256: Sha256, applyChecksum, uriEscapePath });
}

function forSigning({ method, path, headers = {}, body }: EmulatorRequest, host: string) {
  const { pathname, searchParams } = new URL(path, EMULATOR);
  const query = Object.fromEntries(searchParams);
  const { hostname } = EMULATOR;
  return { protocol: 'http:', hostname, path: pathname, query, method, body, headers: { ...headers, host } };
}

/**
 * The credentials that an unguarded emulator would give a function. They depend on two names only, so anyone could
 * compute them.
 */
export function derivedCredentials(functionArn: string, roleArn: string): Required<Credentials> {
  const hash = (content: string) => createHash('sha256').update(content).digest('hex');
  const digest = hash(`${functionArn}:${roleArn}`);
  return {
    accessKeyId: `ASIA${digest.slice(0, 16).toUpperCase()}`,
    secretAccessKey: hash(`secret:${digest}`),
    sessionToken: hash(`token:${digest}`),
  };
}
