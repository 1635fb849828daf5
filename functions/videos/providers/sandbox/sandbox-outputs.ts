import type { ProviderOutput } from '../provider.ts';
import type { Clip } from './clip.ts';
import type { Directives } from './directives.ts';
import { renderClip } from './render-clip.ts';

/** The results of finished work. Nothing is drawn before the body is read. */
export function outputsOf(clip: Clip, outcome: Directives['outcome'], signal: AbortSignal): ProviderOutput[] {
  switch (outcome) {
    case 'done_without_url':
      return [];
    case 'html_instead_of_mp4':
      return [{ kind: 'bytes', body: errorPage() }];
    case 'truncated_bytes':
      return [{ kind: 'bytes', body: withoutLastPiece(renderClip(clip, signal)) }];
    default:
      return [{ kind: 'bytes', body: renderClip(clip, signal) }];
  }
}

/** The end of a file is its last frame, so a file that is cut there still begins correctly. */
async function* withoutLastPiece(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | undefined;
  for await (const piece of body) {
    if (held !== undefined) yield held;
    held = piece;
  }
}

async function* errorPage(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('<!doctype html><title>502 Bad Gateway</title><h1>502 Bad Gateway</h1>\n');
}
