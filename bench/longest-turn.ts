/**
 * How long the worst uploads block the upload server's only thread: the longest turn of the event loop while it reads a
 * form in chunks of 64 KiB, as from a socket, and detects the file's type. Takes the minimum of several rounds, because
 * other work on the machine only adds time. Fails above 15 ms:
 * `npx node bench/longest-turn.ts`
 */

import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { BODIES, filled, STRUCTURAL } from '../test/hostile/bodies.ts';
import { readForm } from '../test/hostile/read-form.ts';

const CHUNK = 64 * 1024;
const ROUNDS = 7;
const SHOWN = 12;
/** The longest time for which one upload may block the thread. */
const BAR_MS = 15;
const FILE_PART = '--b\r\ncontent-disposition: form-data; name=file; filename=x\r\n\r\n';
const FORMS = /^--b\r\n/;

function* inputs(): Generator<readonly [string, Buffer]> {
  for (const first of STRUCTURAL) {
    for (const second of STRUCTURAL) yield [JSON.stringify(first + second), filled(first + second)];
  }
  for (const [name, make] of Object.entries(BODIES)) yield [name, make()];
}

async function* inTime(body: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += CHUNK) {
    await setImmediate();
    yield body.subarray(at, at + CHUNK);
  }
}

async function longestTurn(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  // A refusal is a valid result.
  const end = work
    .catch(() => undefined)
    .finally(() => {
      isDone = true;
    });
  let longest = 0;
  for (let last = performance.now(); !isDone; ) {
    await setImmediate();
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }
  await end;
  return longest;
}

const longest: { input: string; ms: number }[] = [];
for (const [input, bytes] of inputs()) {
  const isForm = FORMS.test(bytes.toString('latin1', 0, 8));
  const body = isForm ? bytes : Buffer.concat([Buffer.from(FILE_PART), bytes, Buffer.from('\r\n--b--')]);
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++)
    least = Math.min(least, await longestTurn(readForm(Readable.from(inTime(body)))));
  longest.push({ input, ms: least });
}
console.log('| input | ms |\n|---|---|');
for (const { input, ms } of longest.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN)) {
  console.log(`| ${input.replaceAll('|', '\\|')} | ${ms.toFixed(1)} |`);
}
const above = longest.filter(({ ms }) => ms > BAR_MS).map(({ input }) => input);
if (above.length > 0) throw new Error(`Turns of more than ${BAR_MS} ms: ${above.join(', ')}`);
