import { createPublicKey } from 'node:crypto';
import { edgeProgram } from '../../lib/edge/programs.ts';
import type { StackOutputs } from '../deployment/outputs.ts';
import type { AwsAccess } from '../emulator/aws-access.ts';
import { apiRouter, type Origins } from './api-router.ts';
import { consolePages } from './console-pages.ts';
import { downloads, downloadsUrl } from './downloads.ts';
import type { EdgeRouter } from './edge.ts';

/** The id of the key that signs links to downloads. */
export const LINK_KEY = 'local';

export interface Behind {
  readonly aws: AwsAccess;
  readonly outputs: Pick<StackOutputs, 'DownloadsPublicKey' | 'FilesBucket' | 'ResultsBucket'>;
  /** Where callers see the edge. */
  readonly edge: string;
  readonly hasConsole: boolean;
  readonly warn: (text: string) => void;
}

/** What the edge does with each request: downloads, the console, and the API behind its origins. */
export function edgeRouter({
  aws,
  outputs,
  edge,
  hasConsole,
  warn,
}: Behind): (origins: Origins) => EdgeRouter {
  const pages = hasConsole ? consolePages(new URL(downloadsUrl(edge)).origin) : undefined;
  const download = downloads(aws, {
    url: downloadsUrl(edge),
    keys: new Map([[LINK_KEY, createPublicKey(outputs.DownloadsPublicKey)]]),
    files: outputs.FilesBucket,
    results: outputs.ResultsBucket,
    now: () => new Date(),
    warn,
  });
  return (origins) => {
    const api = apiRouter(edgeProgram(true), origins, pages);
    return (request) => download(request) ?? api(request);
  };
}
