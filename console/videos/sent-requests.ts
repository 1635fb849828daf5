import type { VideoRequest } from '../api/types.ts';

const PREFIX = 'genway.request.';

/** The API does not give requests back; those of this tab are kept in it, to send them again. */
export function keepRequest(jobId: string, request: VideoRequest): void {
  try {
    sessionStorage.setItem(PREFIX + jobId, JSON.stringify(request));
  } catch {
    // The tab's storage is full: the job has everything but that line.
  }
}

export function keptRequest(jobId: string): VideoRequest | undefined {
  const text = sessionStorage.getItem(PREFIX + jobId);
  return text === null ? undefined : JSON.parse(text);
}

/** Between single quotes a POSIX shell changes nothing; one itself must stand outside of them. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command that sends the same request. The key stays in a variable: it is in no history then. */
export function curlLine(method: string, url: string, body?: unknown): string {
  const authorization = `-H "Authorization: Bearer $GENWAY_API_KEY"`;
  const start = `curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${quoted(url)} ${authorization}`;
  if (body === undefined) return start;
  return `${start} -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`;
}
