/** Megabytes of most functions. CPU grows with memory, but they wait more than they compute. */
export const USUAL_MEMORY = 512;

/** Pollers pass images on to providers that need their bytes. Copiers stream results, and render the sandbox's clips. */
export const VIDEO_WORKER_MEMORY = 1024;
