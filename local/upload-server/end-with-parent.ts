/** Loaded into a program that a local run starts: it ends with the run also where the run was killed. */
process.channel?.unref();
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
