/** `[::1]` is here for tools that forward IPv6 to this port; the server itself has no IPv6 socket. */
const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * The allowed values of `Host` for a port of this machine. If the name of a web page resolves to 127.0.0.1 (DNS
 * rebinding), the page can send requests to the port and read the responses. But its browser sends the page's host.
 */
export function ownHosts(port: number): string[] {
  // A URL leaves out the default port, as browsers do.
  return NAMES.map((name) => new URL(`http://${name}:${port}`).host);
}
