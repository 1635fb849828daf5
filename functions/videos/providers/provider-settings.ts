import * as v from 'valibot';

/** How a stage reaches one provider. A stage offers the models of exactly those providers that its settings name. */
export const providerSettingsSchema = v.strictObject({
  /**
   * The adapter of a provider that has a name of the deployer's own, as one of several servers of a kind. @default the
   * adapter of the provider's name
   */
  adapter: v.exactOptional(v.string()),
  /** @default the vendor's own public address */
  base_url: v.exactOptional(
    v.pipe(
      v.string(),
      v.check((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''), 'must be an http or https URL'),
    ),
  ),
  /**
   * `workspace`: the key that the job's workspace has stored for the provider. `shared`: that one, and also the key of
   * the default workspace, for which the deployment pays. `none`: the provider needs no key.
   */
  credential: v.optional(v.picklist(['workspace', 'shared', 'none']), 'workspace'),
  /**
   * The public keys with which the provider signs its callbacks: each the `x` of an Ed25519 key in its JSON Web Key Set.
   * A callback that none of them has signed is refused. @default signatures are not checked
   */
  callback_keys: v.exactOptional(
    v.array(
      v.pipe(
        v.string(),
        v.regex(
          /^[\w-]{43}$/,
          'must be the value of "x" (43 characters) of an Ed25519 key in a JSON Web Key Set',
        ),
      ),
    ),
  ),
  /** For servers of the OpenAI Videos shape, which differ in this. */
  encoding: v.exactOptional(v.picklist(['json', 'multipart'])),
  /**
   * For providers within AWS: the region of their models, and a bucket in it for their results. @default the stage's
   * own
   */
  aws: v.exactOptional(
    v.strictObject({
      region: v.pipe(v.string(), v.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region, such as us-west-2')),
      bucket: v.pipe(
        v.string(),
        v.regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket'),
      ),
    }),
  ),
});
export type ProviderSettings = Readonly<v.InferOutput<typeof providerSettingsSchema>>;

export const providersSchema = v.record(v.string(), providerSettingsSchema);
export type ProvidersSettings = Readonly<v.InferOutput<typeof providersSchema>>;

/** The sandbox is part of the stage, and Bedrock is called as its role; neither uses a key. */
const KEYLESS = ['sandbox', 'bedrock'];

export const takesKeys = (adapter: string): boolean => !KEYLESS.includes(adapter);

/** The name of a provider's adapter. */
export const adapterOf = (provider: string, all: ProvidersSettings): string =>
  all[provider]?.adapter ?? provider;

/** Undefined where the stage does not offer the provider. */
export function settingsOf(provider: string, all: ProvidersSettings): ProviderSettings | undefined {
  const settings = all[provider];
  if (settings === undefined) return undefined;
  return takesKeys(adapterOf(provider, all)) ? settings : { ...settings, credential: 'none' };
}

/** The settings as a function's environment variable. */
export const providersVariable = v.pipe(v.string(), v.parseJson(), providersSchema);
