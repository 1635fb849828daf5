import { curlLine } from './sent-requests.ts';

/** A job to submit, or one to get. */
export interface SampleCall {
  /** The address of the API, with `/api/v1`. */
  readonly api: string;
  /** Which workspace, where the key does not say it. */
  readonly scope: { readonly workspace_id?: string };
  /** What is posted; undefined where `jobId` is read. */
  readonly body?: unknown;
  readonly jobId?: string;
}

export interface Sample {
  readonly name: 'curl' | 'Python' | 'TypeScript';
  readonly code: string;
}

/** Programs that run when they are pasted: they need a key in `GENWAY_API_KEY`, and no package. */
export function samplesOf(call: SampleCall): readonly Sample[] {
  const query = Object.keys(call.scope).length === 0 ? '' : `?${new URLSearchParams(call.scope)}`;
  const isSubmit = call.body !== undefined;
  const url = `${call.api}/videos${isSubmit ? '' : `/${call.jobId}`}${query}`;
  return [
    { name: 'curl', code: curlLine(isSubmit ? 'POST' : 'GET', url, call.body) },
    { name: 'Python', code: python(call, query) },
    { name: 'TypeScript', code: typeScript(call, query) },
  ];
}

function python({ api, body, jobId }: SampleCall, query: string): string {
  const first =
    body === undefined
      ? `job = call("GET", "/videos/${jobId}${query}")`
      : `job = call("POST", "/videos${query}", ${pythonLiteral(body)})`;
  return `import json, os, time, urllib.request

API = "${api}"
HEADERS = {"Authorization": "Bearer " + os.environ["GENWAY_API_KEY"], "Content-Type": "application/json"}

def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(API + path, data, HEADERS, method=method)
    with urllib.request.urlopen(request) as response:
        return json.load(response)

${first}
while job["status"] in ("pending", "in_progress"):
    time.sleep(2)
    job = call("GET", f"/videos/{job['id']}${query}")
print(job["status"], *job.get("urls", [job.get("error")]))`;
}

/** JSON strings are Python strings too; its three words are not Python’s. */
function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${pythonLiteral(member)}`,
  );
  return `{${members.join(', ')}}`;
}

function typeScript({ api, body, jobId }: SampleCall, query: string): string {
  const first =
    body === undefined
      ? `let job = await call('/videos/${jobId}${query}');`
      : `let job = await call('/videos${query}', ${JSON.stringify(body, null, 2)});`;
  return `const api = '${api}';
const headers = {
  Authorization: \`Bearer \${process.env.GENWAY_API_KEY}\`,
  'Content-Type': 'application/json',
};

async function call(path: string, body?: object) {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(api + path, { headers, ...init });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

${first}
while (['pending', 'in_progress'].includes(job.status)) {
  await new Promise((resolve) => setTimeout(resolve, 2000));
  job = await call(\`/videos/\${job.id}${query}\`);
}
console.log(job.status, ...(job.urls ?? [job.error]));
export {};`;
}
