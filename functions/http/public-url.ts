const ORIGIN = /^https?:\/\/[a-z0-9.-]+(:\d{1,5})?$/;

/** Set by the edge, which alone knows the name that callers use. */
export const PUBLIC_URL_HEADER = 'x-genway-public-url';

/**
 * The address for links in an answer. Whoever calls the API around the edge can set the header too, but
 * only deceives itself: links go to the caller that sent it, or to the callback URL that it named.
 */
export function publicUrl(fromEdge: string | undefined, apiDomain: string | undefined): string {
  if (fromEdge !== undefined && ORIGIN.test(fromEdge)) return fromEdge;
  return `https://${apiDomain ?? 'localhost'}`;
}
