import { createServer } from 'node:http';
import { S3Store } from '@tus/s3-store';
import { Server } from '@tus/server';
import { BUCKET, report, S3_SETTINGS } from '../reporting.ts';

const datastore = new S3Store({
  s3ClientConfig: { bucket: BUCKET, ...S3_SETTINGS },
  partSize: 8 * 1024 ** 2,
});
const tus = new Server({ path: '/api/v1/files', datastore });
await report(createServer((request, response) => tus.handle(request, response)));
