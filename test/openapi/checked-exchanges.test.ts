import { afterAll, expect, test } from '@jest/globals';
import { openApiJson } from '../../functions/openapi/text.ts';
import { checkExchanges } from '../contract/checked-exchanges.ts';

const API = 'http://api.example/api/v1';
const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r' };
const answered = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: JSON_HEADERS });
const REFUSAL = { error: { code: 404, message: 'No such file', metadata: { error_type: 'not_found' } } };

const original = globalThis.fetch;
let answer: Response;
globalThis.fetch = async () => answer;
const { unchecked, judge } = checkExchanges(API, JSON.parse(openApiJson()));
afterAll(() => {
  globalThis.fetch = original;
});

/** Whether one request and its answer match the description. */
async function isRight(response: Response, url: string, init?: RequestInit, send = fetch): Promise<boolean> {
  answer = response;
  const got = await send(url, init);
  expect(got.bodyUsed).toBe(false);
  try {
    judge();
    return true;
  } catch {
    // A second call must not report the same exchange again.
    judge();
    return false;
  }
}

test('a described exchange passes, and another one fails its test', async () => {
  expect(await isRight(answered(404, REFUSAL), `${API}/files/gw_file_1`)).toBe(true);
  expect(await isRight(answered(404, { wrong: 1 }), `${API}/files/gw_file_1`)).toBe(false);
  expect(await isRight(answered(418, REFUSAL), `${API}/files/gw_file_1`)).toBe(false);
});

test('a request is only compared if it was accepted, because a refused one may be anything', async () => {
  const asked = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":7}' };
  const refusal = { error: { code: 400, message: 'No', metadata: { error_type: 'invalid_request' } } };
  for (const body of [asked.body, '{"name":'])
    expect(await isRight(answered(400, refusal), `${API}/workspaces`, { ...asked, body })).toBe(true);
  answer = answered(201, { data: {} });
  await fetch(`${API}/workspaces`, asked);
  expect(judge).toThrow(/POST \/workspaces: 201, the request .*slug/);
});

test('answers of other servers, redirected answers and unchecked requests are not compared', async () => {
  const wrong = () => answered(418, {});
  expect(await isRight(wrong(), 'http://api.example/api/v11/files')).toBe(true);
  expect(await isRight(wrong(), `${API}/files`, {}, unchecked)).toBe(true);
  expect(await isRight(Object.defineProperty(wrong(), 'redirected', { value: true }), `${API}/files`)).toBe(
    true,
  );
  expect(await isRight(wrong(), `${API}/files`)).toBe(false);
});
