import { createServer } from 'node:http';
import { S3Client } from '@aws-sdk/client-s3';
import express from 'express';
import multer from 'multer';
import multerS3 from 'multer-s3';
import { BUCKET, report, S3_SETTINGS } from '../reporting.ts';

const storage = multerS3({
  s3: new S3Client(S3_SETTINGS),
  bucket: BUCKET,
  key: (_request, _file, done) => done(null, 'multer-s3'),
});
const app = express();
app.post(
  '/api/v1/files',
  multer({ storage, limits: { fileSize: 100 * 1024 ** 2 } }).single('file'),
  (request, response) => response.json({ size_bytes: request.file.size }),
);
await report(createServer(app));
