import type { ChildProcess } from 'node:child_process';
import { basename } from 'node:path';

/** The next message of a child. Rejects if the child ends first: nothing would settle the promise otherwise. */
export function answerOf(child: ChildProcess): Promise<unknown> {
  const name =
    child.spawnargs.find((each) => each.endsWith('.ts') || each.endsWith('.mjs')) ?? child.spawnfile;
  return new Promise((resolve, reject) => {
    const fail = (code: number | null, signal: NodeJS.Signals | null) =>
      reject(new Error(`${basename(name)} ended with ${signal ?? code} before it answered`));
    if (child.exitCode !== null || child.signalCode !== null) return fail(child.exitCode, child.signalCode);
    child.once('exit', fail);
    child.once('message', (answer) => {
      child.off('exit', fail);
      resolve(answer);
    });
  });
}

/** What a child answers to a message. */
export function ask(child: ChildProcess, message: string | number | object): Promise<unknown> {
  const answer = answerOf(child);
  child.send(message);
  return answer;
}
