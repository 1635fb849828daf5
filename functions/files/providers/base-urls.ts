import * as v from 'valibot';

const baseUrl = (vendor: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.check((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''), 'must be an http or https URL'),
      v.transform((url) => url.replace(/(?<!\/)\/+$/, '')),
    ),
    vendor,
  );

/** The addresses of the providers' file APIs; by default the vendors' own. */
export const providerBaseUrlsSchema = v.strictObject({
  openai: baseUrl('https://api.openai.com/v1'),
  anthropic: baseUrl('https://api.anthropic.com/v1'),
});

/** The addresses as a function's environment variable. */
export const providerBaseUrlsVariable = v.pipe(v.string(), v.parseJson(), providerBaseUrlsSchema);
