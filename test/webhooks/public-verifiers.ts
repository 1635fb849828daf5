import OpenAI from 'openai';
import * as standard from 'standardwebhooks';
import * as svix from 'svix';

/** A delivery as it arrived: the raw body, and headers in lower case. */
export interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Verify = (delivery: Delivery, secret: string) => unknown;

const openai = new OpenAI({ apiKey: 'unused' });

/** Verifiers that receivers use, called as their own pages show. Each throws if it refuses a delivery. */
const publicVerifiers: Readonly<Record<string, Verify>> = {
  standardwebhooks: ({ body, headers }, secret) => new standard.Webhook(secret).verify(body, { ...headers }),
  svix: ({ body, headers }, secret) => new svix.Webhook(secret).verify(body, { ...headers }),
  openai: ({ body, headers }, secret) => openai.webhooks.unwrap(body, { ...headers }, secret),
};

/** The packages that accept the delivery's signature with this secret. */
export async function acceptedBy(delivery: Delivery, secret: string): Promise<string[]> {
  const names = await Promise.all(
    Object.entries(publicVerifiers).map(async ([name, verify]) => {
      try {
        await verify(delivery, secret);
        return [name];
      } catch {
        return [];
      }
    }),
  );
  return names.flat();
}

export const ALL = Object.keys(publicVerifiers);
