import * as v from 'valibot';

/** A file of the console: `key` is its path without the leading slash. All of them are text. */
const siteFileSchema = v.object({
  key: v.string(),
  content_type: v.string(),
  cache_control: v.string(),
  body: v.string(),
});
export type SiteFile = v.InferOutput<typeof siteFileSchema>;

/** The file that `lib/console/` writes beside the program that publishes it. */
export const SITE = 'site.json';

export const siteSchema = v.pipe(v.string(), v.parseJson(), v.array(siteFileSchema));
