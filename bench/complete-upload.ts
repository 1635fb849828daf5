/**
 * Completes uploads of 100 MiB in parts of several sizes: the real completion, which reads each part from S3 and writes the
 * file. S3 is a stand-in in another process, which makes up what is read and drops what is written. Prints the time, the
 * CPU time and the peak of memory of each completion, and of one after another in the same process.
 *
 *   npx node bench/complete-upload.ts
 */
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import * as v from 'valibot';
import { openIfThere } from '../functions/aws/buckets.ts';
import { createS3Client } from '../functions/aws/s3.ts';
import { ObjectStore } from '../functions/files/object-store.ts';
import { completeUpload } from '../functions/files/parts/complete-upload.ts';
import type { StoredUpload } from '../functions/files/parts/upload.ts';
import { answerOf } from './answer-of.ts';
import { listen } from './listen.ts';
import { median } from './median.ts';

const MEBIBYTE = 1024 ** 2;
const SIZE = 100 * MEBIBYTE;
const PART_MEBIBYTES = [0.5, 1, 4, 50];
const ROUNDS = 5;

if (process.argv[2] === 's3') await serveS3();
else await measure();

/** A PUT is dropped; the key of a GET names its length. The first part begins like a FLAC. */
async function serveS3(): Promise<void> {
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    response.setHeader('etag', '"0"');
    if (request.method === 'GET') {
      const bytes = Buffer.alloc(Number(/-(\d+)$/.exec(request.url?.split('?')[0] ?? '')?.[1] ?? 0), 0xf5);
      if (request.url?.includes('/first-')) bytes.write('fLaC');
      response.end(bytes);
      return;
    }
    const name = request.url?.includes('uploads=')
      ? 'InitiateMultipartUploadResult'
      : 'CompleteMultipartUploadResult';
    response.end(
      request.method === 'POST' ? `<${name}><UploadId>1</UploadId><ETag>"0"</ETag></${name}>` : '',
    );
  });
  process.once('disconnect', () => process.exit());
  process.send?.({ port: Number(new URL(await listen(server)).port) });
}

async function measure(): Promise<void> {
  const child = fork(import.meta.filename, ['s3']);
  const { port } = v.parse(v.object({ port: v.number() }), await answerOf(child));
  const role = {
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  };
  const s3 = createS3Client({ ...role, forcePathStyle: true });
  const objects = new ObjectStore(role, 'bench');
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  console.log('| parts of | seconds | CPU seconds | peak RSS, MB |\n|---|---|---|---|');
  const ports = {
    ...{ objects, open: (key: string) => openIfThere(s3, 'bench', key) },
    files: { announce: async () => undefined, find: async () => undefined },
    ...{ newFileId: () => 'gw_file_1', now: () => new Date() },
  };
  for (const mebibytes of PART_MEBIBYTES) {
    const size = mebibytes * MEBIBYTE;
    const partIds = Array.from({ length: SIZE / size }, (_, i) => `${i === 0 ? 'first' : i}-${size}`);
    const upload = uploadOf(partIds, size);
    const uploads = { find: async () => upload, complete: async () => true };
    const seconds: number[] = [];
    const cpu: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [begun, used] = [performance.now(), process.cpuUsage()];
      const request = { upload, partIds, claims: [], conditions: () => ({}), log };
      await completeUpload(request, { ...ports, uploads });
      const { user, system } = process.cpuUsage(used);
      seconds.push((performance.now() - begun) / 1000);
      cpu.push((user + system) / 1e6);
    }
    const peak = Math.round(process.resourceUsage().maxRSS / 1024);
    console.log(`| ${mebibytes} MiB | ${median(seconds).toFixed(2)} | ${median(cpu).toFixed(2)} | ${peak} |`);
  }
  child.disconnect();
}

function uploadOf(partIds: readonly string[], size: number): StoredUpload {
  const part = { created_at: new Date().toISOString(), size };
  return {
    ...{ id: `gw_upload_${'0'.repeat(26)}`, workspace_id: 'w', filename: 'a', purpose: 'user_data' },
    ...{ status: 'pending', size_bytes: SIZE, created_at: part.created_at, due_at: 0, received: SIZE },
    parts: Object.fromEntries(partIds.map((id) => [id, part])),
  };
}
