import { API_ORIGIN, UPLOAD_ORIGIN, UPLOAD_PATH } from '../../lib/edge/programs.ts';
import type { EdgeRouter } from './edge.ts';
import { type EdgeAnswer, type EdgeError, errorAnswer } from './edge-error.ts';
import { loadEdgeFunction } from './edge-function.ts';

export interface Origins {
  /** The origin of the emulator. `restApiId` names the REST API in it. */
  readonly emulator: string;
  readonly apiId: string;
  /** The origin of the upload server. */
  readonly uploads: string;
}

/** What the edge answers itself: the files of the console. */
export type Pages = (uri: string) => EdgeAnswer | undefined;

/**
 * Routes as CloudFront does: the edge function may choose the origin, and otherwise the path decides. The REST API,
 * whose stage is `api`, has the emulator's path form of `https://{id}.execute-api.{region}.amazonaws.com/api/…`.
 */
export function apiRouter(
  program: string,
  { emulator, apiId, uploads }: Origins,
  pages: Pages = () => undefined,
): EdgeRouter {
  const edgeFunction = loadEdgeFunction(program);
  return (request) => {
    const outcome = edgeFunction(request);
    if ('answer' in outcome) return outcome;
    const answer = pages(outcome.uri);
    if (answer !== undefined) return { answer };
    const { url = '' } = request;
    const path = outcome.uri + (url.includes('?') ? url.slice(url.indexOf('?')) : '');
    const byPath = outcome.uri === UPLOAD_PATH ? UPLOAD_ORIGIN : API_ORIGIN;
    if ((outcome.origin ?? byPath) === UPLOAD_ORIGIN) return { upstream: { origin: uploads, path } };
    if (!path.startsWith('/api/')) return { answer: errorAnswer(NO_SUCH_PATH) };
    return { upstream: { origin: emulator, path: `/_aws/execute-api/${apiId}${path}` } };
  };
}

const NO_SUCH_PATH: EdgeError = {
  status: 404,
  errorType: 'not_found',
  message: 'No such path; the API lives under /api/v1',
};
