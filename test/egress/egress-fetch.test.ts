import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Agent } from 'undici';
import { createEgress } from '../../functions/egress/egress-fetch.ts';
import { guardedConnector, type Resolve, systemResolve } from '../../functions/egress/guarded-dispatcher.ts';
import { parseAllowedHosts } from '../../functions/egress/url-policy.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

const tls = (name: string) => readFileSync(join(import.meta.dirname, '../fixtures/tls', name), 'utf8');

async function listen(server: Server): Promise<{ port: number; connections: () => number }> {
  let connections = 0;
  server.on('connection', () => connections++);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  open.push({
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

const answer: RequestListener = (_request, response) => void response.end('inside');

interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly cause?: Thrown;
}

/** Why a request failed: the innermost cause. */
async function failure(request: Promise<Response>): Promise<string> {
  let thrown = await request.then(
    (): Thrown => ({ name: 'None', message: 'it did not fail' }),
    (error: Thrown) => error,
  );
  while (thrown.cause !== undefined) thrown = thrown.cause;
  return `${thrown.name}: ${thrown.message}`;
}

/** Connects without any check of the URL, and so shows what the connector itself allows. */
function connectOnly(resolve: Resolve) {
  const connect = guardedConnector({ allowed: new Set(), resolve, connectMilliseconds: 2_000 });
  const dispatcher = new Agent({ connect });
  open.push(dispatcher);
  return (url: string) => fetch(url, { dispatcher, redirect: 'manual' } as unknown as RequestInit);
}

const v4 = (...addresses: string[]) => addresses.map((address) => ({ address, family: 4 }));
const v6 = (...addresses: string[]) => addresses.map((address) => ({ address, family: 6 }));

describe('a name that resolves', () => {
  test.each([
    ['loopback', v4('127.0.0.1')],
    ['a private network', v4('10.0.0.7')],
    ['link-local metadata', v4('169.254.169.254')],
    ['a public and a private address', v4('93.184.216.34', '127.0.0.1')],
    ['a private and a public address', v4('127.0.0.1', '93.184.216.34')],
    ['IPv6 loopback', v6('::1')],
    ['a mapped address', v6('::ffff:127.0.0.1')],
    ['a translated address', v6('64:ff9b::7f00:1')],
    ['a 6to4 address', v6('2002:7f00:1::1')],
    ['an IPv4-compatible address', v6('::7f00:1')],
    ['both families, one of them inside', [...v4('93.184.216.34'), ...v6('fd00:ec2::254')]],
    ['nowhere', []],
  ])('to %s: no connection is made', async (_, addresses) => {
    const inside = await listen(createServer(answer));
    const get = connectOnly(async () => addresses);
    expect(await failure(get(`http://hooks.example.com:${inside.port}/`))).toMatch(
      /EgressRefused: must have a host that resolves only to public IP addresses/,
    );
    expect(inside.connections()).toBe(0);
  });

  test.each(['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]'])(
    'to %s is refused without a look-up',
    async (host) => {
      const inside = await listen(createServer(answer));
      const looked: string[] = [];
      const get = connectOnly(async (name) => {
        looked.push(name);
        return v4('127.0.0.1');
      });
      expect(await failure(get(`http://${host}:${inside.port}/`))).toMatch(/EgressRefused/);
      expect([inside.connections(), looked]).toEqual([0, []]);
    },
  );

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'may change at look-up %i, and is refused then',
    async (turn) => {
      const inside = await listen(createServer(answer));
      let looks = 0;
      // The first look-ups throw, as if no honest server answered. 198.51.100.1 is no substitute, because it is refused
      // too.
      const get = connectOnly(async () => {
        looks++;
        if (looks < turn) throw new Error('no honest server here');
        return v4('127.0.0.1');
      });
      for (let i = 0; i < 10; i++) await failure(get(`http://hooks.example.com:${inside.port}/`));
      expect(inside.connections()).toBe(0);
    },
  );
});

describe('a connection to a public address', () => {
  const { connect } = net;
  const isFamilyChosen = net.getDefaultAutoSelectFamily();
  afterEach(() => {
    jest.restoreAllMocks();
    net.setDefaultAutoSelectFamily(isFamilyChosen);
  });

  /** A network in which every address leads to one port here, whose address looks as given. */
  function leadAllTo(port: number, remoteAddress: string | undefined) {
    const asked: unknown[] = [];
    const sockets: net.Socket[] = [];
    jest.spyOn(net, 'connect').mockImplementation((options: unknown) => {
      const { lookup, ...given } = options as { lookup: net.LookupFunction };
      const local: net.LookupFunction = (name, wanted, callback) =>
        lookup(name, wanted, (error, address, family) => {
          asked.push(error === null ? [address, family] : error.name);
          if (wanted.all) callback(error, v4('127.0.0.1'));
          else callback(error, '127.0.0.1', 4);
        });
      const socket = connect({ ...given, port, lookup: local } as net.TcpNetConnectOpts);
      Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
      sockets.push(socket);
      return socket;
    });
    return { asked, sockets };
  }

  test.each([
    [true, [[[...v4('93.184.216.34'), ...v6('2606:4700::1111')], undefined]]],
    [false, [['93.184.216.34', 4]]],
  ])('goes to those that were checked; to all of them: %p', async (all, expected) => {
    const { port } = await listen(createServer(answer));
    net.setDefaultAutoSelectFamily(all);
    const { asked } = leadAllTo(port, '93.184.216.34');
    const get = connectOnly(async () => [...v4('93.184.216.34'), ...v6('2606:4700::1111')]);
    const response = await get('http://hooks.example.com/');
    expect(await response.text()).toBe('inside');
    expect(asked).toEqual(expected);
  });

  test.each(['127.0.0.1', '10.0.0.7', undefined])(
    'that ends at %s after all is closed before a word is said',
    async (end) => {
      let requests = 0;
      const { port } = await listen(createServer(() => requests++));
      const { sockets } = leadAllTo(port, end);
      const get = connectOnly(async () => v4('93.184.216.34'));
      expect(await failure(get('http://hooks.example.com/'))).toMatch(
        /EgressRefused: must have a host that resolves only to public IP addresses/,
      );
      expect([requests, sockets.map(({ destroyed }) => destroyed)]).toEqual([0, [true]]);
    },
  );
});

test('the system’s resolver gives all addresses of a name, or fails', async () => {
  const addresses = await systemResolve('localhost');
  expect(addresses.map(({ address }) => address)).toContain('127.0.0.1');
  await expect(systemResolve('a'.repeat(300))).rejects.toMatchObject({ syscall: 'getaddrinfo' });
});

describe('egress', () => {
  const egress = (allowed: string, more = {}) =>
    createEgress({ allowed: parseAllowedHosts(allowed), deadlineMilliseconds: 2_000, ...more });

  test('reaches hosts that the deployer has allowed', async () => {
    const { port } = await listen(createServer(answer));
    const response = await egress(`127.0.0.1:${port}`)(`http://127.0.0.1:${port}/`);
    expect(await response.text()).toBe('inside');
  });

  test('reaches an allowed IPv6 address, which a URL writes in brackets', async () => {
    const { port } = await listen(createServer(answer));
    const reason = await failure(egress(`[::1]:${port}`)(`http://[::1]:${port}/`));
    expect(reason).not.toMatch(/EgressRefused/);
  });

  test('sends a Request whole, and refuses one by its URL', async () => {
    const { port } = await listen(
      createServer(
        (request, response) => void request.pipe(response.setHeader('x-method', `${request.method}`)),
      ),
    );
    const get = egress(`127.0.0.1:${port}`);
    const response = await get(new Request(`http://127.0.0.1:${port}/`, { method: 'PUT', body: 'sent' }));
    expect([response.headers.get('x-method'), await response.text()]).toEqual(['PUT', 'sent']);
    expect(await failure(get(new Request('http://hooks.example.com/')))).toMatch(/https/);
  });

  test('reads an address once: what it has checked is where it goes', async () => {
    const { port } = await listen(createServer(answer));
    const elsewhere = await listen(createServer(answer));
    const addresses = [port, elsewhere.port].map((each) => `http://127.0.0.1:${each}/`);
    const moving = { toString: () => addresses.shift() ?? '' } as unknown as URL;
    await egress(`127.0.0.1`)(moving);
    expect(elsewhere.connections()).toBe(0);
  });

  test('keeps no connection for the next call', async () => {
    const { port } = await listen(
      createServer((request, response) => void response.end(request.headers.connection)),
    );
    const response = await egress(`127.0.0.1:${port}`)(`http://127.0.0.1:${port}/`);
    expect(await response.text()).toBe('close');
  });

  test.each([
    ['connect', 'https', { connectMilliseconds: 1 }, /ConnectTimeoutError/],
    ['answer', 'http', { silenceMilliseconds: 1 }, /HeadersTimeoutError/],
  ])('gives up on a host that does not %s', async (_, protocol, limit, outcome) => {
    const server = net.createServer((socket) => void open.push({ close: () => socket.destroy() }));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    open.push(server);
    const { port } = server.address() as AddressInfo;
    const get = egress(`127.0.0.1:${port}`, { deadlineMilliseconds: 4_000, ...limit });
    expect(await failure(get(`${protocol}://127.0.0.1:${port}/`))).toMatch(outcome);
  });

  test('refuses by the URL before any look-up', async () => {
    const looked: string[] = [];
    const resolve: Resolve = async (name) => {
      looked.push(name);
      return [];
    };
    const get = egress('', { resolve });
    expect(await failure(get('https://169.254.169.254/'))).toMatch(/IP address/);
    expect(await failure(get('http://hooks.example.com/'))).toMatch(/https/);
    expect(looked).toEqual([]);
    expect(await failure(get('https://hooks.example.com/'))).toMatch(/resolves only to public/);
    expect(looked).toEqual(['hooks.example.com']);
  });

  test.each(['http://127.0.0.1:1/', 'https://169.254.169.254/', '//evil.example.com/'])(
    'does not follow a redirect to %s',
    async (location) => {
      const { port } = await listen(
        createServer((_, response) => void response.writeHead(302, { location }).end()),
      );
      const response = await egress(`127.0.0.1:${port}`)(`http://127.0.0.1:${port}/`);
      expect(response.status).toBe(302);
    },
  );

  test('aborts an endless body', async () => {
    const { port } = await listen(createServer((_, response) => void response.write('drip')));
    const get = egress(`127.0.0.1:${port}`, { deadlineMilliseconds: 200 });
    const response = await get(`http://127.0.0.1:${port}/`);
    await expect(response.text()).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('obeys the caller’s signal too', async () => {
    const { port } = await listen(createServer(() => undefined));
    const controller = new AbortController();
    const pending = egress(`127.0.0.1:${port}`)(`http://127.0.0.1:${port}/`, { signal: controller.signal });
    controller.abort();
    await expect(pending).rejects.toMatchObject({ name: 'AbortError' });
  });

  test.each([
    ['localhost', 'ca.pem', /it did not fail/],
    ['other.example', 'ca.pem', /ERR_TLS_CERT_ALTNAME_INVALID|altnames/],
    ['localhost', undefined, /certificate/],
  ])('checks a certificate for %s by %s', async (name, authority, outcome) => {
    const server = createTlsServer({ key: tls(`${name}.key`), cert: tls(`${name}.pem`) }, answer);
    const { port } = await listen(server);
    const ca = authority === undefined ? {} : { ca: tls(authority) };
    const get = egress(`localhost:${port}`, ca);
    expect(await failure(get(`https://localhost:${port}/`))).toMatch(outcome);
  });
});
