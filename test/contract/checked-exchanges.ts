import { expect } from '@jest/globals';
import { isOpenaiClient } from '../../functions/http/openai-client.ts';
import { ExchangeChecker } from '../openapi/exchange-checker.ts';

type Fetch = typeof globalThis.fetch;

const isJson = ({ headers }: Request | Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') ?? false;

/**
 * From here on, every request to the API at `baseUrl` and every answer is compared with the description, whoever
 * sends it: the tests themselves, or the clients that they try.
 * @param description the API's, as parsed JSON
 * @returns `fetch` as it was, which compares nothing; and what fails where one was not as described, after each test
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
      // What was refused may have been anything.
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
    // What was followed to another place is no answer of the API.
    if (!response.redirected) await compare(request, sent, response.clone());
    return response;
  };
  return { unchecked, judge: () => expect(wrong.splice(0)).toEqual([]) };
}
