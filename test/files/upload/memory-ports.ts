import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { writtenCrc32 } from '../../../functions/aws/object-upload/part.ts';
import type { StoredFile } from '../../../functions/files/file.ts';
import type { UploadPorts } from '../../../functions/files/upload/receive-file.ts';
import type { LogFields } from '../../../functions/telemetry/log.ts';

/** Stores and a log in memory. Single operations can be made to fail. */
export function memoryPorts() {
  const objects = new Map<string, Buffer>();
  const rows: StoredFile[] = [];
  const calls: string[] = [];
  const logged: [message: string, fields: LogFields | undefined][] = [];
  const aborted: unknown[] = [];
  const failures: Partial<Record<'put' | 'end' | 'abort' | 'remove' | 'announce' | 'create', Error>> = {};
  const fail = (name: keyof typeof failures) => {
    calls.push(name);
    if (failures[name] !== undefined) throw failures[name];
  };
  const write = (message: string, fields?: LogFields) => void logged.push([message, fields]);
  const ports: UploadPorts = {
    quotaBytes: Number.MAX_SAFE_INTEGER,
    newFileId: () => `gw_file_${randomUUID()}`,
    now: () => new Date('2026-01-02T03:04:05Z'),
    objects: {
      put: (key: string) => {
        calls.push('put');
        const chunks: Uint8Array[] = [];
        return {
          write: (bytes: Uint8Array) => {
            if (failures.put !== undefined) throw failures.put;
            chunks.push(Buffer.from(bytes));
            return undefined;
          },
          end: async () => {
            const whole = Buffer.concat(chunks);
            objects.set(key, whole);
            if (failures.end !== undefined) fail('end');
            return { crc32: writtenCrc32(crc32(whole)) };
          },
          abort: async (reason: unknown) => {
            aborted.push(reason);
            if (failures.abort !== undefined) throw failures.abort;
          },
        };
      },
      remove: async (key: string) => {
        fail('remove');
        objects.delete(key);
      },
    },
    files: {
      announce: async () => fail('announce'),
      create: async (file: StoredFile) => {
        fail('create');
        rows.push(file);
      },
    },
  };
  const log = { info: write, warn: write, error: write };
  return { ports, objects, rows, calls, aborted, logged, failures, log };
}

export const BOUNDARY = 'frontier';
export const CONTENT_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

const HEAD = `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`;
const TAIL = `\r\n--${BOUNDARY}--\r\n`;

/** The bytes of a form with one file. */
export function formOf(content: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(HEAD), Buffer.from(content), Buffer.from(TAIL)]);
}
