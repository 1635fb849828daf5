import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stage } from './stage.ts';

export interface CountingProxy {
  readonly url: string;
  /** Returns the calls since the last `take()`, in order. */
  take(): AwsCall[];
  close(): Promise<void>;
}

export interface AwsCall {
  /** For example `GetItem` or `PUT`. */
  readonly operation: string;
  status: number;
  sent: string;
  /** The answer's body. It is complete when the caller has received it. */
  answered: string;
}

/** Forwards calls to the emulator's AWS and records them. */
export async function openCountingProxy(): Promise<CountingProxy> {
  let calls: AwsCall[] = [];
  const { hostname, port } = new URL(stage.aws.endpoint);
  const server = createServer((incoming, outgoing) => {
    const target = incoming.headers['x-amz-target'];
    const { method = '', url, headers } = incoming;
    const operation = typeof target === 'string' ? (target.split('.')[1] ?? target) : method;
    const call: AwsCall = { operation, status: 0, sent: '', answered: '' };
    calls.push(call);
    const onward = request({ hostname, port, method, path: url, headers }, (answer) => {
      call.status = answer.statusCode ?? 502;
      outgoing.writeHead(call.status, answer.headers);
      answer.on('data', (piece) => {
        call.answered += piece;
      });
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.on('data', (piece) => {
      call.sent += piece;
    });
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
