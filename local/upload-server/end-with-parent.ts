/** Loaded into a program that a local run starts, so that the program also ends when the run is killed. */
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
