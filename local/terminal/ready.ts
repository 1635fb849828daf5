import type { SeededKeys } from '../deployment/seed-keys.ts';
import type { Style } from './text.ts';

export interface ReadyFacts extends SeededKeys {
  readonly baseUrl: string;
  readonly consoleUrl?: string | undefined;
  readonly runFile: string;
  readonly seconds: number;
}

/** What to type next. Each line works when pasted alone into a POSIX shell; only `$job` comes from the line above. */
export function readyText(facts: ReadyFacts, style: Style): string {
  const { baseUrl, consoleUrl, managementKey, apiKey, runFile, seconds } = facts;
  const lines = [
    '',
    style('bold', `Genway is ready after ${seconds.toFixed(1)} s: ${baseUrl}`),
    '',
    `  management key  ${managementKey}`,
    `  API key         ${apiKey}`,
    ...(consoleUrl === undefined ? [] : [`  console         ${consoleUrl}`]),
    style('dim', `  ${runFile} has both keys for scripts. Press Ctrl-C to stop.`),
    '',
    ...commands(baseUrl, managementKey, apiKey).flatMap(([title, command]) => [
      style('dim', `# ${title}`),
      command,
      '',
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function commands(
  baseUrl: string,
  managementKey: string,
  apiKey: string,
): [title: string, command: string][] {
  const asManager = `-H 'Authorization: Bearer ${managementKey}'`;
  const asCaller = `-H 'Authorization: Bearer ${apiKey}'`;
  // The API's responses end without a line break, so the shell prompt would follow on the same line.
  const curl = `curl -sS -w '\\n'`;
  const json = `-H 'Content-Type: application/json'`;
  const slug = `studio-'$(date +%s)'`;
  const video = `{"model":"sandbox/clip-1","prompt":"A paper boat in the rain","duration":4}`;
  const jobUrl = `${baseUrl}/videos/$job`;
  return [
    [
      'Create a workspace',
      `${curl} ${baseUrl}/workspaces ${asManager} ${json} -d '{"name":"Studio","slug":"${slug}"}'`,
    ],
    [
      'Upload a file',
      `printf 'Hello from Genway\\n' | ${curl} ${baseUrl}/files ${asCaller} -F 'file=@-;filename=hello.txt'`,
    ],
    [
      'Submit a video job and keep its ID',
      `job=$(${curl} ${baseUrl}/videos ${asCaller} ${json} -d '${video}' | sed 's/.*"id":"\\([^"]*\\)".*/\\1/'); echo "$job"`,
    ],
    ['Poll until "status" is "completed"', `${curl} "${jobUrl}" ${asCaller}`],
    ['Download the MP4', `curl -sSL "${jobUrl}/content" ${asCaller} --create-dirs -o downloads/video.mp4`],
  ];
}
