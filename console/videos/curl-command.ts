/** Between single quotes a POSIX shell changes nothing; one itself must stand outside of them. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command that sends the same request. The key stays in a variable: it is in no history then. */
export function curlLine(method: string, url: string, body?: unknown): string {
  const authorization = `-H "Authorization: Bearer $GENWAY_KEY"`;
  const start = `curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)} ${authorization}`;
  if (body === undefined) return start;
  return `${start} -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`;
}
