import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { exchange, type Patience } from '../../../functions/aws/object-upload/exchange.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that hears the first bytes of a request, and from then on does as it likes. */
async function serverThat(misbehaves: (socket: Socket) => void): Promise<URL> {
  const server = createServer((socket) => {
    closing.push(() => socket.destroy());
    socket.on('error', () => undefined).once('data', () => misbehaves(socket));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  closing.push(() => server.close());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/bucket/key`);
}

const BLOCK = Buffer.alloc(1_000_000);
const SHORT = [Buffer.from('a')];
const LONG = Array.from({ length: 10 }, () => BLOCK);

const PATIENT = { connectMilliseconds: 60_000, silenceMilliseconds: 60_000, wholeMilliseconds: 60_000 };

async function put(url: URL, chunks: Buffer[], patience: Partial<Patience> = {}) {
  const length = chunks.reduce((sum, { length }) => sum + length, 0);
  const headers = { 'content-length': String(length) };
  const request = { method: 'PUT', url, headers, chunks };
  return exchange(request, { ...PATIENT, ...patience }, new AbortController().signal);
}

/** Writes without end, as fast as the other side reads or at a walk. */
function repeat(socket: Socket, bytes: string, milliseconds: number): void {
  const timer = setInterval(() => socket.write(bytes), milliseconds);
  socket.once('close', () => clearInterval(timer));
}
const chunk = (length: number) => `${length.toString(16)}\r\n${'x'.repeat(length)}\r\n`;

test.each<[string, (socket: Socket) => void]>([
  ['an answer', (socket) => socket.write('HTTP/1.1 307 Elsewhere\r\nTransfer-Encoding: chunked\r\n\r\n')],
  ['the wait for one', () => undefined],
])('%s that goes on and on ends as an overload', async (_, begin) => {
  const url = await serverThat((socket) => {
    begin(socket);
    const isAnswer = socket.bytesWritten > 0;
    repeat(socket, isAnswer ? chunk(1) : 'HTTP/1.1 100 Continue\r\n\r\n', 10);
  });
  await expect(put(url, SHORT, { wholeMilliseconds: 200 })).rejects.toMatchObject({ name: 'TimeoutError' });
});

test('a connection that TLS does not complete could not be made in time', async () => {
  const url = await serverThat(() => undefined);
  url.protocol = 'https:';
  await expect(put(url, SHORT, { connectMilliseconds: 200 })).rejects.toThrow('could not be reached');
});

test('a connection, once made, ends the wait for it, and an answer every wait', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  let during = 0;
  const url = await serverThat((socket) => {
    during = timers();
    socket.write('HTTP/1.1 204 No Content\r\n\r\n');
  });
  const before = timers();
  await put(url, SHORT);
  expect([during, timers()]).toEqual([before + 1, before]);
});

test('an answer is not read beyond the length of any that S3 gives', async () => {
  const url = await serverThat((socket) => {
    socket.write('HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n');
    repeat(socket, chunk(50_000), 1);
  });
  await expect(put(url, SHORT)).rejects.toThrow('exceeds the maximum length');
});

test.each([
  ['a short body', SHORT],
  ['a long body', LONG],
])('a change of protocol after %s is a failure', async (_, body) => {
  const url = await serverThat((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n');
  });
  await expect(put(url, body)).rejects.toThrow('another protocol');
});

const earlyAnswer = (status: string) => (socket: Socket) => {
  socket.pause();
  socket.write(`HTTP/1.1 ${status}\r\nETag: "a"\r\nContent-Length: 0\r\n\r\n`);
};

test('a success that comes before the whole body was sent is none', async () => {
  const url = await serverThat(earlyAnswer('200 OK'));
  await expect(put(url, LONG)).rejects.toThrow('before the whole body was sent');
});

test('a refusal may come before the whole body was sent', async () => {
  const url = await serverThat(earlyAnswer('503 Slow Down'));
  await expect(put(url, LONG)).resolves.toMatchObject({ status: 503 });
});
