import { type KeyObject, verify } from 'node:crypto';
import { type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from '../../functions/aws/client-settings.ts';
import { objectAddress } from '../../functions/aws/signatures.ts';
import { cannedPolicy } from '../../functions/downloads/links.ts';
import { KEPT_PREFIX } from '../../functions/videos/bucket-layout.ts';
import { downloadsProgram } from '../../lib/edge/program.ts';
import type { AwsAccess } from '../emulator/aws-access.ts';
import { loadResponseFunction, urlParts } from './cloudfront-functions.ts';
import type { EdgeDecision } from './edge.ts';
import { answerError, type EdgeAnswer, type EdgeError } from './edge-answer.ts';
import { responseHeaders } from './headers.ts';

export const DOWNLOADS_PATH = '/downloads';

/**
 * Where callers find downloads, of an edge such as `http://127.0.0.1:8787`. As on AWS they have another origin than the
 * API, so that clients drop the key when they follow a redirect, and pages need the bucket's leave to read.
 */
export function downloadsUrl(edge: string): string {
  const url = new URL(DOWNLOADS_PATH, edge);
  url.hostname = 'localhost';
  return url.href;
}

interface DownloadsOptions {
  /** Where callers find it. */
  readonly url: string;
  readonly keys: LinkKeys;
  /** The names of the buckets. */
  readonly files: string;
  readonly results: string;
  readonly now: () => Date;
  readonly warn: (text: string) => void;
}

/** What the distribution in front of the buckets does with a request; undefined for a request that is not for it. */
export function downloads(
  aws: AwsAccess,
  { url: base, keys, files, results, now, warn }: DownloadsOptions,
): (request: IncomingMessage) => EdgeDecision | undefined {
  const { origin, host } = new URL(base);
  const ask = bucketOrigin(aws, now);
  const asAttachment = loadResponseFunction(downloadsProgram());
  return (request) => {
    const { url = '', method = '' } = request;
    if (!url.startsWith(`${DOWNLOADS_PATH}/`)) return undefined;
    if (!['GET', 'HEAD', 'OPTIONS'].includes(method))
      return { answer: refusal('This method is not allowed') };
    // The console has the edge's other name, and must not share its origin with what callers have uploaded.
    if (request.headers.host?.toLowerCase() !== host) return { answer: refusal('Access denied') };
    if (!isSignedLink(`${origin}${url}`, keys, now())) return { answer: refusal('Access denied') };
    const [key = ''] = url.slice(`${DOWNLOADS_PATH}/`.length).split('?', 1);
    const isVideo = key.startsWith(KEPT_PREFIX);
    const object = objectAddress(isVideo ? results : files, '', aws);
    object.pathname += key;
    const show: Show = isVideo ? (_, __, headers) => headers : asAttachment;
    return {
      serve: async (response) => {
        const answer = await ask(request, object).catch((error) => {
          warn(`Could not reach ${object.origin}: ${error}`);
          answerError(response, UNREACHABLE);
        });
        if (answer !== undefined) sendBack(request, answer, response, show);
      },
    };
  };
}

type Show = ReturnType<typeof loadResponseFunction>;

/** CloudFront runs no function on a response of 400 or above. */
function sendBack(
  request: IncomingMessage,
  answer: IncomingMessage,
  response: ServerResponse,
  show: Show,
): void {
  const { statusCode: status = 502 } = answer;
  // Whoever seeks in a video leaves one request after the other.
  if (response.destroyed) return void answer.destroy();
  const headers = { ...responseHeaders(answer.headersDistinct), 'x-content-type-options': 'nosniff' };
  response.writeHead(status, status < 400 ? show(request, status, headers) : headers);
  pipeline(answer, response, () => undefined);
}

/** CloudFront answers in XML. */
const refusal = (message: string): EdgeAnswer => ({
  status: 403,
  headers: { 'content-type': 'text/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>${message}</Message></Error>`,
});

const UNREACHABLE: EdgeError = {
  status: 502,
  errorType: 'server',
  message: 'The storage behind this link did not answer',
};

/** The keys that the edge knows, by their ids. */
type LinkKeys = ReadonlyMap<string, KeyObject>;

const SIGNED_BY = new Set(['Expires', 'Signature', 'Key-Pair-Id', 'Hash-Algorithm']);

/** What CloudFront checks of a URL before it looks for what is there: who has signed it, and until when it works. */
export function isSignedLink(url: string, keys: LinkKeys, now: Date): boolean {
  const { address, query } = urlParts(url);
  const pairs = query.split('&').map((pair) => [pair.split('=', 1)[0] ?? '', pair] as const);
  const said = new Map(pairs.map(([name, pair]) => [name, pair.slice(name.length + 1)]));
  const key = keys.get(said.get('Key-Pair-Id') ?? '');
  const expires = Number(said.get('Expires'));
  const signature = fromUrl(said.get('Signature') ?? '');
  if (key === undefined || said.get('Hash-Algorithm') !== 'SHA256') return false;
  if (said.get('Expires') !== String(expires)) return false;
  const own = pairs.filter(([name]) => !SIGNED_BY.has(name)).map(([, pair]) => pair);
  const resource = own.length === 0 ? address : `${address}?${own.join('&')}`;
  return (
    verify('sha256', Buffer.from(cannedPolicy(resource, expires)), key, signature) &&
    now.getTime() < expires * 1000
  );
}

const fromUrl = (text: string): Buffer =>
  Buffer.from(text.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/'), 'base64');

/** The headers that reach S3 through CloudFront: of ranges, of conditions, and of pages that ask across origins. */
const PASSED_ON = /^(range|if-[a-z-]+|origin|access-control-request-[a-z]+)$/;
const SECONDS = 60;

/** Asks a bucket for what a viewer wants, as CloudFront does that signs each request itself (origin access control). */
function bucketOrigin(aws: AwsAccess, now: () => Date) {
  const signer = new SignatureV4({ service: 's3', ...aws, sha256: Sha256, uriEscapePath: false });
  return async ({ method = 'GET', headers }: IncomingMessage, object: URL): Promise<IncomingMessage> => {
    const { query = {} } = await signer.presign(
      {
        // S3 answers a preflight for whoever might send the request after it.
        method: method === 'OPTIONS' ? 'GET' : method,
        protocol: object.protocol,
        hostname: object.hostname,
        path: object.pathname,
        headers: { host: object.host, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      },
      { expiresIn: SECONDS, signingDate: now() },
    );
    const signed = new URL(object);
    for (const [name, value] of Object.entries(query)) signed.searchParams.set(name, String(value));
    const passedOn = Object.entries(headers).filter(([name]) => PASSED_ON.test(name));
    return new Promise((resolve, reject) => {
      openRequest(signed, { method, headers: Object.fromEntries(passedOn) })
        .on('response', resolve)
        .on('error', reject)
        .end();
    });
  };
}
