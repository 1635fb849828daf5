/** In milliseconds since the machine has started: the same in every process. */
export const clock = (): number => Number(process.hrtime.bigint()) / 1e6;
