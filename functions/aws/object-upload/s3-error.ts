import type { PutAnswer } from './put-bytes.ts';

/** S3's error bodies are flat, and only the log sees their content. */
const CODE = /<Code>([^<]*)<\/Code>/;
const MESSAGE = /<Message>([^<]*)<\/Message>/;

/** An error answer of S3, shaped like the SDK's errors, so that one rule recognises overloads of both. */
export class S3Error extends Error {
  override readonly name: string;
  readonly $metadata: { readonly httpStatusCode: number };

  constructor({ status, text }: Pick<PutAnswer, 'status' | 'text'>) {
    super(MESSAGE.exec(text)?.[1] ?? `S3 answered with ${status}`);
    this.name = CODE.exec(text)?.[1] ?? 'S3Error';
    this.$metadata = { httpStatusCode: status };
  }
}
