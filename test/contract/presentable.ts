/** Matches whole secrets. A key's label begins like the key but continues with dots, so it does not match. */
const SECRET = /\b(sk-gw-v1-|mk-gw-v1-|whsec_)[\w+/=-]{20,}/g;
/** The part of a link that signs it and limits its time. */
const SIGNATURE = /(?<=[?&]Expires=\d+)&Signature=[^\s"]*/g;
/** Downloads have a host of their own on AWS. */
const DOWNLOADS = /http:\/\/localhost:\d+\/downloads\//g;

/**
 * An answer as a page may show it: secrets and signatures are shortened, and local addresses are replaced. The rest is
 * unchanged.
 */
export function presentable(value: unknown, addresses: Readonly<Record<string, string>>): unknown {
  let text = JSON.stringify(value).replaceAll(DOWNLOADS, 'https://downloads.example.com/');
  for (const [own, shown] of Object.entries(addresses)) text = text.replaceAll(own, shown);
  for (const [own, shown] of Object.entries(addresses)) {
    text = text.replaceAll(new URL(own).host, new URL(shown).host);
  }
  return JSON.parse(text.replaceAll(SECRET, '$1…').replaceAll(SIGNATURE, '&Signature=cut-short'));
}
