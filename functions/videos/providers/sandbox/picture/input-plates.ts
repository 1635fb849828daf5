import type { FrameImage, InputReference } from '../../provider.ts';

/** One line for each kind of input, drawn into the clip to show that it arrived. */
export function inputPlates(
  frameImages: readonly FrameImage[],
  inputReferences: readonly InputReference[],
): string[] {
  const plates = frameImages.map(({ frameType, url }) => `${frameType} ${origin(url)}`.trim());
  if (inputReferences.length > 0) plates.push(`input_references ${countKinds(inputReferences)}`);
  return plates;
}

/** The media type of inline data, else the host: a whole URL may carry a signature. */
function origin(url: string): string {
  const inlineType = /^(?:data|inline):([\w.+/-]{1,60})/.exec(url)?.[1];
  if (inlineType !== undefined) return inlineType;
  return URL.canParse(url) ? new URL(url).host : '';
}

function countKinds(references: readonly InputReference[]): string {
  const kinds = [...new Set(references.map(({ kind }) => kind))];
  return kinds
    .map((kind) => `${references.filter((reference) => reference.kind === kind).length} ${kind}`)
    .join(', ');
}
