import type { S3Answer } from './exchange.ts';

/** S3's error bodies are flat, and only the log sees their content. */
const CODE = /<Code>([^<]*)<\/Code>/;
const MESSAGE = /<Message>([^<]*)<\/Message>/;

/** What S3 begins to answer before it is done may still end in an error, or in nothing. */
export const isRefusal = (method: string, answer: S3Answer): boolean =>
  answer.status >= 300 || !isWhole(method, answer) || answer.text.includes('<Error>');

/** Whatever is stored has an ETag, and every POST a result: the id of an upload, or the completed object. */
function isWhole(method: string, { etag, text }: S3Answer): boolean {
  if (method === 'POST') return text.includes('MultipartUploadResult>');
  return method !== 'PUT' || etag !== undefined;
}

/** An error answer of S3, shaped like the SDK's errors, so that one rule recognises overloads of both. */
export class S3Error extends Error {
  override readonly name: string;
  readonly $metadata: { readonly httpStatusCode: number };

  constructor({ status, text }: Pick<S3Answer, 'status' | 'text'>) {
    super(MESSAGE.exec(text)?.[1] ?? `S3 answered with ${status}`);
    this.name = CODE.exec(text)?.[1] ?? 'S3Error';
    // As the SDK has it, an error in an answer that began well is one that may pass.
    this.$metadata = { httpStatusCode: status < 300 ? 503 : status };
  }
}
