/** Whole ones: the label of a key begins like it and goes on with dots. */
const SECRET = /\b(sk-gw-v1-|mk-gw-v1-|whsec_)[\w+/=-]{20,}/g;
/** What signs a link, and says how long it is good. */
const SIGNATURE = /\?(X-Amz-|response-|versionId)[^\s"]*/g;

/**
 * An answer as a page may show it: secrets and signatures cut short, the addresses of this machine as others. All
 * else is as it came.
 */
export function presentable(value: unknown, addresses: Readonly<Record<string, string>>): unknown {
  let text = JSON.stringify(value);
  for (const [own, shown] of Object.entries(addresses)) text = text.replaceAll(own, shown);
  for (const [own, shown] of Object.entries(addresses)) {
    text = text.replaceAll(new URL(own).host, new URL(shown).host);
  }
  return JSON.parse(
    text
      .replaceAll(SECRET, '$1…')
      .replaceAll(SIGNATURE, '?X-Amz-Signature=cut-short')
      .replaceAll(/http:\/\/127\.0\.0\.1:\d+\/[\w.-]+\//g, 'https://results.example.com/'),
  );
}
