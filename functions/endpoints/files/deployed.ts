import * as v from 'valibot';
import { dynamo } from '../../aws/dynamo.ts';
import { systemClock } from '../../clock.ts';
import { setting } from '../../environment.ts';
import { FileStore } from '../../files/file-store.ts';
import type { FileProviderName } from '../../files/providers/file-provider.ts';
import { chooseDialect, type Dialect } from '../../files/shown-file.ts';
import type { Headers } from '../../http/call.ts';
import { wireNamesSchema } from '../../http/compatibility.ts';
import { OverdueRows } from '../../sweeping/sweep.ts';

export const fileStore = () => new FileStore(dynamo, setting('filesTable'), systemClock);
export const expiredFileRows = () => new OverdueRows(dynamo, setting('filesTable'));

const quotaVariable = v.pipe(v.string(), v.transform(Number), v.safeInteger());
/** How many bytes a workspace may store. */
export const storageQuota = () => setting('storageQuotaBytes', quotaVariable);

/** The shape of an answer, in the names that this deployment uses. */
export function dialects(): (headers: Headers, provider: FileProviderName | undefined) => Dialect {
  const names = setting('wireNames', wireNamesSchema);
  return (headers, provider) => chooseDialect(headers, names, provider);
}
