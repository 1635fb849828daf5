import type { PutAnswer } from './put-bytes.ts';

/** An error answer of S3, with what the SDK's errors have: so one rule tells overloads of both. */
export class S3Error extends Error {
  override readonly name: string;
  readonly $metadata: { readonly httpStatusCode: number };

  constructor({ status, text }: Pick<PutAnswer, 'status' | 'text'>) {
    super(element(text, 'Message') ?? `S3 answered with ${status}`);
    this.name = element(text, 'Code') ?? 'S3Error';
    this.$metadata = { httpStatusCode: status };
  }
}

/** Error bodies are flat, and nothing but the log sees what they hold. */
const element = (xml: string, name: string): string | undefined =>
  new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
