import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { SITE, siteSchema } from '../../functions/site.ts';
import { BUNDLES } from '../../lib/bundling/bundle.ts';
import { CONSOLE_PATH, contentSecurityPolicy } from '../../lib/console/page-headers.ts';
import type { Pages } from './api-router.ts';

const FILE = join(BUNDLES, 'publish-console', SITE);

/**
 * Serves the console's files with the same headers as the bucket and the edge on AWS. Reads the published archive again
 * for each file, so that a new build shows at once.
 *
 * @param storage the origin that signed links point to
 */
export function consolePages(storage: string, file = FILE): Pages {
  const policy = contentSecurityPolicy([storage]);
  return (uri) => {
    if (uri !== CONSOLE_PATH && !uri.startsWith(`${CONSOLE_PATH}/`)) return undefined;
    const files = v.parse(siteSchema, readFileSync(file, 'utf8'));
    const found = files.find(({ key }) => uri === `/${key}`);
    if (found === undefined) return undefined;
    const { content_type, cache_control, body } = found;
    const headers = {
      'content-type': content_type,
      'cache-control': cache_control,
      'content-security-policy': policy,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    };
    return { status: 200, headers, body };
  };
}
