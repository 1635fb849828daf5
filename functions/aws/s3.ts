import { S3Client } from '@aws-sdk/client-s3';

/**
 * Bodies are neither summed up nor hashed: each of the SDK's defaults costs a pass over every upload, and what
 * they guard against TLS guards against too, which the buckets demand. The rest of a request is signed as ever.
 */
export function createS3Client(settings: ConstructorParameters<typeof S3Client>[0] = {}): S3Client {
  const client = new S3Client({ maxAttempts: 3, requestChecksumCalculation: 'WHEN_REQUIRED', ...settings });
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const isUpload = commandName === 'PutObjectCommand' || commandName === 'UploadPartCommand';
        if (isUpload && hasHeaders(args.request)) {
          args.request.headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD';
        }
        return next(args);
      },
    { step: 'build', name: 'unsignedPayload' },
  );
  return client;
}

function hasHeaders(request: unknown): request is { headers: Record<string, string> } {
  return typeof request === 'object' && request !== null && 'headers' in request;
}

export const s3 = /* @__PURE__ */ createS3Client();
