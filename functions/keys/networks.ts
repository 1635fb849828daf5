import { BlockList, isIP } from 'node:net';

interface Block {
  readonly base: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly prefix: number;
}

/** An IPv4 address as a socket writes it that takes both families. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

function familyOf(address: string): Block['family'] | undefined {
  // A zone belongs to one machine's interfaces.
  const version = address.includes('%') ? 0 : isIP(address);
  return version === 0 ? undefined : version === 4 ? 'ipv4' : 'ipv6';
}

/** Undefined for what is no CIDR block. An address alone is a block of one. */
function readBlock(text: string): Block | undefined {
  const [base = '', digits, ...more] = text.split('/');
  const family = familyOf(base);
  if (family === undefined || more.length > 0) return undefined;
  const longest = family === 'ipv4' ? 32 : 128;
  if (digits === undefined) return { base, family, prefix: longest };
  const prefix = /^(0|[1-9]\d{0,2})$/.test(digits) ? Number(digits) : Number.NaN;
  return prefix <= longest ? { base, family, prefix } : undefined;
}

export const NETWORK_RULE = 'must be a CIDR block, such as 203.0.113.0/24 or 2001:db8::/32';

/** IPv4 is written as such: a block of IPv6 that holds addresses of IPv4 would say one thing and mean another. */
export function isNetwork(text: string): boolean {
  const block = readBlock(text);
  return block !== undefined && !/^::ffff:/i.test(block.base);
}

/** Of another family, an address is in no block: `::/0` has none of IPv4. */
function holds({ base, family, prefix }: Block, address: string): boolean {
  if (familyOf(address) !== family) return false;
  const list = new BlockList();
  list.addSubnet(base, prefix, family);
  return list.check(address, family);
}

/** Whether an address is in a network. An address that is unknown, or none, is in no network. */
export function isWithin(network: string, address: string | undefined): boolean {
  const block = readBlock(network);
  if (block === undefined || address === undefined) return false;
  return holds(block, MAPPED.exec(address)?.[1] ?? address);
}

/** Whether every address of one network is in the other. */
export function contains(outer: string, inner: string): boolean {
  const [out, block] = [readBlock(outer), readBlock(inner)];
  if (out === undefined || block === undefined) return false;
  return out.family === block.family && out.prefix <= block.prefix && holds(out, block.base);
}

/** Whoever has one IPv6 address has the 2^64 around it. */
export function networkOf(address: string): string {
  const isIPv4 = !address.includes(':') || address.includes('.');
  if (isIPv4) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  const groups = [...first, ...zeros, ...last].slice(0, 4);
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':');
}
