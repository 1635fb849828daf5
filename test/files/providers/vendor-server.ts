import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

interface Kept {
  readonly id: string;
  readonly key: string;
  readonly filename: string;
  readonly type: string;
  readonly purpose: string;
  readonly bytes: Buffer;
}

/** A request that reached the vendor. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  /** False if the body was cut off. */
  complete: boolean;
}

export interface VendorServer {
  readonly baseUrls: { readonly openai: string; readonly anthropic: string };
  readonly seen: Seen[];
  close(): Promise<void>;
}

const CREATED = 1_767_323_045;

/** API keys that make a vendor misbehave. */
const FAULTS: Readonly<Record<string, (response: ServerResponse, key: string) => void>> = {
  refusing: (response, key) =>
    answer(response, 401, { error: { message: `Incorrect API key provided: ${key}`, type: 'auth' } }),
  busy: (response) => answer(response, 429, { error: { message: 'Slow down' } }, { 'retry-after': '7' }),
  overloaded: (response) => answer(response, 529, { error: { type: 'overloaded_error', message: 'x' } }),
  unavailable: (response) => answer(response, 503, {}),
  broken: (response) => void response.writeHead(500).end('<html>stack trace</html>'),
  redirecting: (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
  garbled: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":'),
  strange: (response) => answer(response, 200, { hello: 'world' }),
  timeless: (response) =>
    answer(response, 200, { id: 'file-1', bytes: 1, created_at: 1e18, filename: 'a', purpose: 'user_data' }),
  hanging: () => undefined,
  dropping: (response) => void response.destroy(),
};

/** The wire of OpenAI's and Anthropic's Files APIs. Files are stored by API key. */
export async function startVendors(): Promise<VendorServer> {
  const kept: Kept[] = [];
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const entry: Seen = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      complete: false,
    };
    seen.push(entry);
    serve(request, response, kept, entry).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrls: { openai: `${origin}/openai/v1`, anthropic: `${origin}/anthropic/v1` },
    seen,
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(() => closed()));
    },
  };
}

async function serve(request: IncomingMessage, response: ServerResponse, kept: Kept[], entry: Seen) {
  const body = await buffer(request);
  entry.complete = true;
  const url = new URL(entry.url, 'http://vendor');
  const [, vendor, , , id, content] = url.pathname.split('/');
  const isOpenai = vendor === 'openai';
  const key = credential(request, isOpenai);
  if (key === undefined) return answer(response, 401, { error: { message: 'who are you?' } });
  const fault = FAULTS[key.replace(/^sk-test-/, '')];
  if (fault !== undefined) return fault(response, key);
  const describe: (file: Kept) => object = isOpenai ? asOpenai : asAnthropic;
  if (request.method === 'POST') {
    const file = await read(body, request.headers['content-type'], key, isOpenai);
    if (typeof file === 'string') return answer(response, 400, { error: { message: file } });
    kept.push(file);
    return answer(response, 200, describe(file));
  }
  const mine = kept.filter((file) => file.key === key && isOpenai === file.id.startsWith('file-'));
  if (id === undefined) {
    const after = url.searchParams.get(isOpenai ? 'after' : 'after_id');
    const from = after === null ? 0 : mine.findIndex((file) => file.id === after) + 1;
    const limit = Number(url.searchParams.get('limit'));
    const page = mine.slice(from, from + limit);
    return answer(response, 200, { data: page.map(describe), has_more: mine.length > from + limit });
  }
  const file = mine.find((each) => each.id === id);
  if (file === undefined) return answer(response, 404, { error: { message: `No such File object: ${id}` } });
  if (content !== undefined) return void response.writeHead(200).end(file.bytes);
  if (request.method === 'GET') return answer(response, 200, describe(file));
  kept.splice(kept.indexOf(file), 1);
  return answer(
    response,
    200,
    isOpenai ? { id, object: 'file', deleted: true } : { id, type: 'file_deleted' },
  );
}

function credential({ headers }: IncomingMessage, isOpenai: boolean): string | undefined {
  if (isOpenai) return headers.authorization?.replace(/^Bearer /, '');
  const isBeta = headers['anthropic-beta']?.includes('files-api-2025-04-14');
  return headers['anthropic-version'] === '2023-06-01' && isBeta ? String(headers['x-api-key']) : undefined;
}

/** Node.js parses the form, so that our own parser is not tested with itself. */
async function read(body: Buffer, type: string | undefined, key: string, isOpenai: boolean) {
  const form = await new Response(body, { headers: { 'content-type': type ?? '' } }).formData();
  const file = form.get('file');
  const purpose = form.get('purpose');
  if (!(file instanceof File)) return 'file is required';
  if (isOpenai !== (typeof purpose === 'string')) return 'purpose is required, or unknown';
  return {
    id: `${isOpenai ? 'file-' : 'file_'}${randomUUID().replaceAll('-', '')}`,
    key,
    filename: file.name,
    type: file.type,
    purpose: String(purpose),
    bytes: Buffer.from(await file.arrayBuffer()),
  };
}

const asOpenai = ({ id, filename, purpose, bytes }: Kept) => ({
  ...{ id, object: 'file', bytes: bytes.length, created_at: CREATED, filename, purpose },
  ...{ status: 'processed', expires_at: null },
});
const asAnthropic = ({ id, filename, type, bytes }: Kept) => ({
  ...{ id, type: 'file', filename, mime_type: type, size_bytes: bytes.length },
  ...{ created_at: new Date(CREATED * 1000).toISOString(), downloadable: false },
});

function answer(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
