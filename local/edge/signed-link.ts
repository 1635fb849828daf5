import { type KeyObject, verify } from 'node:crypto';
import { cannedPolicy } from '../../functions/downloads/links.ts';
import { urlParts } from './url-parts.ts';

/** The keys that the edge knows, by their ids. */
export type LinkKeys = ReadonlyMap<string, KeyObject>;

const SIGNED_BY = new Set(['Expires', 'Signature', 'Key-Pair-Id', 'Hash-Algorithm']);

/** What CloudFront checks of a URL before it looks for what is there: who has signed it, and until when it works. */
export function isSignedLink(url: string, keys: LinkKeys, now: Date): boolean {
  const { address, query } = urlParts(url);
  const pairs = query.split('&').map((pair) => [pair.split('=', 1)[0] ?? '', pair] as const);
  const said = new Map(pairs.map(([name, pair]) => [name, pair.slice(name.length + 1)]));
  const key = keys.get(said.get('Key-Pair-Id') ?? '');
  const expires = Number(said.get('Expires'));
  const signature = fromUrl(said.get('Signature') ?? '');
  if (key === undefined || said.get('Hash-Algorithm') !== 'SHA256') return false;
  if (said.get('Expires') !== String(expires)) return false;
  const own = pairs.filter(([name]) => !SIGNED_BY.has(name)).map(([, pair]) => pair);
  const resource = own.length === 0 ? address : `${address}?${own.join('&')}`;
  return (
    verify('sha256', Buffer.from(cannedPolicy(resource, expires)), key, signature) &&
    now.getTime() < expires * 1000
  );
}

const fromUrl = (text: string): Buffer =>
  Buffer.from(text.replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/'), 'base64');
