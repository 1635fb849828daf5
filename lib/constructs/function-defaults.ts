import { variables } from '../../functions/environment-names.ts';

/** Megabytes of most functions. CPU grows with memory, but they wait more than they compute. */
export const USUAL_MEMORY = 512;

/** Submitters pass images on to providers that need their bytes: six jobs at once, each with five times 16 MiB. */
export const SUBMITTER_MEMORY = 1024;

/** Of the decoder of videos: a whole processor, and room for pictures in 4K. */
export const STILLS_MEMORY = 1769;

/**
 * Longer timeouts for programs on an emulator, which shares the cores of one machine with forty functions that start at
 * once. Three attempts of DynamoDB's two seconds, each four times as long, still end within a function's 25 seconds.
 */
export const EMULATOR_PATIENCE = { [variables.awsPatience]: '4' };
