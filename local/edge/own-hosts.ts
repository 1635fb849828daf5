/** Not `[::1]` for an IPv6 socket, as there is none, but for whoever forwards one to this port. */
const NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * What `Host` says in a request to a port of this machine. A web page whose name was pointed to 127.0.0.1 (DNS
 * rebinding) can send requests to the port and read the answers, but its browser names the page's host.
 */
export function ownHosts(port: number): string[] {
  // As a URL leaves out the port that goes without saying.
  return NAMES.map((name) => new URL(`http://${name}:${port}`).host);
}
