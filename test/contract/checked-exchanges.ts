import { expect } from '@jest/globals';
import { isOpenaiClient } from '../../functions/http/compatibility.ts';
import { ExchangeChecker } from '../openapi/exchange-checker.ts';

type Fetch = typeof globalThis.fetch;

const isJson = ({ headers }: Request | Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') ?? false;

/**
 * Compares all requests to the API at `baseUrl` and their answers with the API's description, no matter who sends them:
 * the tests or the clients under test.
 * @param description the API's description, as parsed JSON
 * @returns `unchecked`, a `fetch` that compares nothing, and `judge`, which fails if anything differed since its last
 * call
 */
export function checkExchanges(
  baseUrl: string,
  description: ConstructorParameters<typeof ExchangeChecker>[0],
): { unchecked: Fetch; judge: () => void } {
  const checker = new ExchangeChecker(description);
  const unchecked = globalThis.fetch;
  const wrong: string[] = [];

  async function compare(request: Request, sent: string, response: Response): Promise<void> {
    const { method, url, headers } = request;
    const { status } = response;
    const text = await response.text();
    const path = url.slice(baseUrl.length);
    const isForm = headers.get('content-type')?.startsWith('multipart/form-data') ?? false;
    const deviations = checker.deviations({
      method,
      path,
      // The body of a refused request need not match the description.
      requestBody: status >= 400 || sent === '' ? undefined : JSON.parse(sent),
      status,
      headers: response.headers,
      body: isJson(response) && text !== '' ? JSON.parse(text) : text,
      fromOpenai: isForm || isOpenaiClient(Object.fromEntries(headers)),
    });
    wrong.push(...deviations.map((deviation) => `${method} ${path}: ${status}, ${deviation}`));
  }

  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (!request.url.startsWith(`${baseUrl}/`)) return unchecked(request);
    const sent = isJson(request) ? await request.clone().text() : '';
    const response = await unchecked(request);
    // A redirect ends at another server, whose answer is not the API's.
    if (!response.redirected) await compare(request, sent, response.clone());
    return response;
  };
  return { unchecked, judge: () => expect(wrong.splice(0)).toEqual([]) };
}
