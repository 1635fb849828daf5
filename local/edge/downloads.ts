import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { objectAddress } from '../../functions/aws/object-address.ts';
import { KEPT_PREFIX } from '../../functions/videos/bucket-layout.ts';
import { downloadsProgram } from '../../lib/edge/programs.ts';
import type { AwsAccess } from '../emulator/aws-access.ts';
import { bucketOrigin } from './bucket-origin.ts';
import type { EdgeDecision } from './edge.ts';
import { answerError, type EdgeAnswer, type EdgeError } from './edge-error.ts';
import { responseHeaders } from './headers.ts';
import { loadResponseFunction } from './response-function.ts';
import { isSignedLink, type LinkKeys } from './signed-link.ts';

const DOWNLOADS_PATH = '/downloads';

/**
 * Where callers find downloads, of an edge such as `http://127.0.0.1:8787`. As on AWS they have another origin than the
 * API, so that clients drop the key when they follow a redirect, and pages need the bucket's leave to read.
 */
export function downloadsUrl(edge: string): string {
  const url = new URL(DOWNLOADS_PATH, edge);
  url.hostname = 'localhost';
  return url.href;
}

export interface DownloadsOptions {
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
  const { origin } = new URL(base);
  const ask = bucketOrigin(aws, now);
  const asAttachment = loadResponseFunction(downloadsProgram());
  return (request) => {
    const { url = '', method = '' } = request;
    if (!url.startsWith(`${DOWNLOADS_PATH}/`)) return undefined;
    if (!['GET', 'HEAD', 'OPTIONS'].includes(method))
      return { answer: refusal('This method is not allowed') };
    if (!isSignedLink(`${origin}${url}`, keys, now())) return { answer: refusal('Access denied') };
    const [key = ''] = url.slice(`${DOWNLOADS_PATH}/`.length).split('?', 1);
    const isVideo = key.startsWith(KEPT_PREFIX);
    const object = objectAddress(isVideo ? results : files, '', aws);
    object.pathname += key;
    const show: Show = isVideo ? (_, __, headers) => headers : asAttachment;
    return {
      serve: async (response) => {
        try {
          sendBack(request, await ask(request, object), response, show);
        } catch (error) {
          warn(`Could not reach ${object.origin}: ${error}`);
          answerError(response, UNREACHABLE);
        }
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
  const headers = responseHeaders(answer.headersDistinct);
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
