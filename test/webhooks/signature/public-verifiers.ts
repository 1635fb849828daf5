import OpenAI from 'openai';
import * as standard from 'standardwebhooks';
import * as svix from 'svix';

/** A delivery as it arrived: the raw body and the headers, in lower case. */
export interface Delivery {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Verify = (delivery: Delivery, secret: string) => unknown;

const openai = new OpenAI({ apiKey: 'unused' });

/** What receivers already have, as its own page says to use it; each throws at what it refuses. */
const publicVerifiers: Readonly<Record<string, Verify>> = {
  standardwebhooks: ({ body, headers }, secret) => new standard.Webhook(secret).verify(body, { ...headers }),
  svix: ({ body, headers }, secret) => new svix.Webhook(secret).verify(body, { ...headers }),
  openai: ({ body, headers }, secret) => openai.webhooks.unwrap(body, { ...headers }, secret),
};

/** Which of the packages take the delivery as signed with the secret. */
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
