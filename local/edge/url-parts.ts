/** What is before the first question mark, and what is behind it, both as they were sent. */
export function urlParts(url: string): { readonly address: string; readonly query: string } {
  const [, address = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
  return { address, query };
}
