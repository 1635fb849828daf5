/**
 * For how long the worst uploads keep the upload server's one thread from everybody else: the longest turn of the
 * event loop while a form is read that comes in pieces of 64 KiB, as from a socket, with the file's type and all.
 * The least of several rounds, since other work on the machine only adds to it: `npx node bench/longest-turn.ts`
 */
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { InspectedFile } from '../functions/files/upload/inspected-file.ts';
import { readUploadForm } from '../functions/files/upload/upload-form.ts';
import { BODIES, filled, STRUCTURAL } from '../test/hostile/bodies.ts';

const CHUNK = 64 * 1024;
const ROUNDS = 7;
const SHOWN = 12;
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

async function upload(body: Buffer): Promise<void> {
  await readUploadForm(Readable.from(inTime(body)), 'multipart/form-data; boundary=b', async (file) => {
    const inspected = new InspectedFile();
    await pipeline(file, inspected, new Writable({ write: (_chunk, _encoding, done) => done() }));
    return inspected.verdict();
  });
}

async function longestTurn(work: Promise<unknown>): Promise<number> {
  let isDone = false;
  // A refusal is an answer.
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
  for (let round = 0; round < ROUNDS; round++) least = Math.min(least, await longestTurn(upload(body)));
  longest.push({ input, ms: least });
}
for (const { input, ms } of longest.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN)) {
  console.log(`| ${input} | ${ms.toFixed(1)} |`);
}
