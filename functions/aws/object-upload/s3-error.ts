import type { PutAnswer } from './put-bytes.ts';

/** Error bodies are flat, and nothing but the log sees what they hold. */
const CODE = /<Code>([^<]*)<\/Code>/;
const MESSAGE = /<Message>([^<]*)<\/Message>/;

/** An error answer of S3, with what the SDK's errors have: so one rule tells overloads of both. */
export class S3Error extends Error {
  override readonly name: string;
  readonly $metadata: { readonly httpStatusCode: number };

  constructor({ status, text }: Pick<PutAnswer, 'status' | 'text'>) {
    super(MESSAGE.exec(text)?.[1] ?? `S3 answered with ${status}`);
    this.name = CODE.exec(text)?.[1] ?? 'S3Error';
    this.$metadata = { httpStatusCode: status };
  }
}
