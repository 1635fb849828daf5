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

/** Where a stage reaches the providers' file APIs: by default, at the vendors' own addresses. */
export const providerBaseUrlsSchema = v.strictObject({
  openai: baseUrl('https://api.openai.com/v1'),
  anthropic: baseUrl('https://api.anthropic.com/v1'),
});

/** A function's environment variable, as the stage wrote it. */
export const providerBaseUrlsVariable = v.pipe(v.string(), v.parseJson(), providerBaseUrlsSchema);
