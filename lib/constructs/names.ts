import type { StageConfig } from '../stage/config.ts';

type Named = { readonly name: string; readonly own: Pick<StageConfig['own'], 'namePrefix'> };

/** How a stage is called among those of its account: `Genway-prod`. */
export const titleOf = ({ name, own }: Named): string => `${own.namePrefix}-${name}`;
