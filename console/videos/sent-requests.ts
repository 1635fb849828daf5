const PREFIX = 'genway.request.';

/** The API does not give requests back; those of this tab are kept in it, for the line that repeats them. */
export function keepRequest(jobId: string, request: unknown): void {
  try {
    sessionStorage.setItem(PREFIX + jobId, JSON.stringify(request));
  } catch {
    // The tab's storage is full: the job has everything but that line.
  }
}

export function keptRequest(jobId: string): unknown {
  const text = sessionStorage.getItem(PREFIX + jobId);
  return text === null ? undefined : JSON.parse(text);
}
