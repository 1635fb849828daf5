import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stage } from './stage.ts';

export interface CountingProxy {
  readonly url: string;
  /** What has been called since it was last asked, in order, such as `GetItem` or `PUT`. */
  take(): string[];
  close(): Promise<void>;
}

/** The emulator's AWS at another address, which remembers what it is called for. */
export async function openCountingProxy(): Promise<CountingProxy> {
  let calls: string[] = [];
  const { hostname, port } = new URL(stage.aws.endpoint);
  const server = createServer((incoming, outgoing) => {
    const target = incoming.headers['x-amz-target'];
    calls.push(typeof target === 'string' ? (target.split('.')[1] ?? target) : (incoming.method ?? ''));
    const { method, url, headers } = incoming;
    const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${address.port}`,
    take: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
