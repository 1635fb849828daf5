import { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import multipart from '@fastify/multipart';
import Fastify from 'fastify';
import { BUCKET, report, S3_SETTINGS } from '../reporting.ts';

const client = new S3Client(S3_SETTINGS);
const app = Fastify();
app.register(multipart, { limits: { fileSize: 100 * 1024 ** 2 } });
app.post('/api/v1/files', async (request) => {
  const { file } = await request.file();
  await new Upload({ client, params: { Bucket: BUCKET, Key: 'fastify', Body: file } }).done();
  return { size_bytes: file.bytesRead };
});
await app.ready();
await report(app.server);
