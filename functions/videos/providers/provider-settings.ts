import * as v from 'valibot';

/** How a stage reaches one provider. Being named in the stage's settings at all is what offers its models. */
export const providerSettingsSchema = v.strictObject({
  /** @default the vendor's own public address */
  base_url: v.exactOptional(
    v.pipe(
      v.string(),
      v.check((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''), 'must be an http or https URL'),
    ),
  ),
  /** `workspace`: the key that the job's workspace has stored for the provider. `none`: it asks for none. */
  credential: v.optional(v.picklist(['workspace', 'none']), 'workspace'),
  /** For servers of the OpenAI Videos shape, which differ in it. */
  encoding: v.exactOptional(v.picklist(['json', 'multipart'])),
});
export type ProviderSettings = Readonly<v.InferOutput<typeof providerSettingsSchema>>;

export const providersSchema = v.record(v.string(), providerSettingsSchema);
export type ProvidersSettings = Readonly<v.InferOutput<typeof providersSchema>>;

/** Needs nothing and is always there. */
const SANDBOX: ProviderSettings = { credential: 'none' };

/** Undefined where the stage does not offer the provider. */
export const settingsOf = (provider: string, all: ProvidersSettings): ProviderSettings | undefined =>
  provider === 'sandbox' ? SANDBOX : all[provider];

/** A function's environment variable, as the stage wrote it. */
export const providersVariable = v.pipe(v.string(), v.parseJson(), providersSchema);
