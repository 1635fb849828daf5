import { createHash, hash, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { setting } from '../environment.ts';
import type { Headers } from '../http/call.ts';
import { PermissionDenied } from '../http/errors.ts';
import { EDGE_SECRET_HEADER, VIEWER_ADDRESS_HEADER } from '../http/headers.ts';

const ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/;

/** How requests come into a deployment. */
export interface Entrance {
  /** The origin that callers use, where it is known before the deployment. */
  readonly publicUrl: string | undefined;
  /** Hashes of the secrets that the edge may send: two during a rotation, none where there is no edge. */
  readonly edgeSecretsSha256: readonly Buffer[];
}

/** Set by the edge, which alone knows the name that callers use. */
const PUBLIC_URL_HEADER = 'x-genway-public-url';

/**
 * Where there is an edge, every request must come through it. Whoever went around it could choose the origin of links
 * in other people's webhooks, and would escape the edge's limits.
 * @throws PermissionDenied
 */
export function assertThroughEdge(headers: Headers, { edgeSecretsSha256 }: Entrance): void {
  if (edgeSecretsSha256.length === 0) return;
  // Comparing hashes of one length takes constant time, so the time of an answer tells nothing about the secret.
  const sent = hash('sha256', headers[EDGE_SECRET_HEADER] ?? '', 'buffer');
  if (!edgeSecretsSha256.some((accepted) => timingSafeEqual(sent, accepted))) {
    throw new PermissionDenied('This URL is not for callers; use the public URL of this API');
  }
}

/**
 * The origin of links in answers and webhooks: the configured one, or the edge's, or API Gateway's own. The request's
 * header counts only after `assertThroughEdge` has checked the edge's secret.
 */
export function publicUrl(headers: Headers, ownDomain: string | undefined, entrance: Entrance): string {
  if (entrance.publicUrl !== undefined) return entrance.publicUrl;
  const told = headers[PUBLIC_URL_HEADER];
  if (entrance.edgeSecretsSha256.length > 0 && told !== undefined && ORIGIN.test(told)) return told;
  return `https://${ownDomain ?? 'localhost'}`;
}

/**
 * Where a request came from. The edge's word counts, after `assertThroughEdge` has checked its secret, and nobody else's:
 * without an edge any caller could set that header.
 * @param connected the other end of the connection, which is the caller's where there is no edge
 */
export const viewerAddress = (
  headers: Headers,
  { edgeSecretsSha256 }: Pick<Entrance, 'edgeSecretsSha256'>,
  connected?: string,
): string | undefined => (edgeSecretsSha256.length === 0 ? connected : headers[VIEWER_ADDRESS_HEADER]);

const originVariable = v.optional(v.pipe(v.string(), v.regex(ORIGIN)));
const sha256Variable = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^[0-9a-f]{64}(,[0-9a-f]{64})*$/),
    v.transform((list) => list.split(',').map((digest) => Buffer.from(digest, 'hex'))),
  ),
);

export function deployedEntrance(): Entrance {
  return {
    publicUrl: setting('publicUrl', originVariable),
    edgeSecretsSha256: setting('edgeSecretSha256', sha256Variable) ?? [],
  };
}

interface EdgeSecret {
  /** What the edge sends with each request. */
  readonly text: string;
  /** The hashes that functions compare it with: of this secret and, during a rotation, of the one before. */
  readonly sha256: readonly string[];
}

/**
 * The secret of a generation, from a key derivation that nobody can guess. Functions accept the next secret before the
 * edge sends it, and accept both until then.
 */
export async function edgeSecret(
  derive: (name: string) => Promise<Uint8Array>,
  generation: number,
): Promise<EdgeSecret> {
  const text = async (each: number) => Buffer.from(await derive(`edge-secret/${each}`)).toString('base64url');
  const generations = generation === 1 ? [1] : [generation, generation - 1];
  const texts = await Promise.all(generations.map(text));
  return {
    text: await text(generation),
    sha256: texts.map((each) => createHash('sha256').update(each).digest('hex')),
  };
}
